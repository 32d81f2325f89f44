// Where programs come from: a text, a folder of facts, or a generator.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef KCFA_SOURCE_HPP
#define KCFA_SOURCE_HPP

#include <string>

namespace kcfa {

// The text of a file.
[[nodiscard]] std::string read_text(const std::string &path);

// The program in a folder that has the relations of harp-lab/parallel-RA: App (label, operator, two arguments), Lam
// (label, two parameters, body), Var (label, name) and Prog (label of the root), each of words of 64 bits, in files
// whose names begin so; the last column of each is not used here. Throws example::FileError.
[[nodiscard]] std::string read_facts(const std::string &folder);

// A program whose analysis grows with both numbers: a tower of functions, each of which calls the next `calls` times,
// with closures over its own parameter; so that the innermost is reached by calls^levels ways, of which contexts tell
// apart as many as they are long. In the spirit of Van Horn and Mairson, Deciding kCFA is complete for EXPTIME (2008).
[[nodiscard]] std::string generate(int levels, int calls);

}  // namespace kcfa

#endif
