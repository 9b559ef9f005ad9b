# Checks that arguments which would need an allocated temporary, or which are not vectors of double,
# do not compile, and that the compiler prints what to do. Run it with
#   cmake -DCOMPILER=… -DINCLUDE=… -DEIGEN=… -DWORK_DIR=… -P rejected.cmake
# Each statement has an expression of another type, because the compiler reports each type once.
set(statements
  "inverse_dynamics(model, data, q, v, 2 * v)|this argument is an expression"
  "inverse_dynamics(model, data, q, v, M.row(0))|not stored one after the other"
  "inverse_dynamics(model, data, q, v, M)|must be a vector, not a matrix"
  "inverse_dynamics(model, data, q, v, v.cast<float>().eval())|must be a vector of double"
  "inverse_dynamics(model, batch, M, M, 2 * M)|this argument is an expression"
  "inverse_dynamics(model, batch, M, M, M.transpose())|stored column by column"
  "integrate(model, q, v + v, 0.1, q)|this argument is an expression"
  "input.set_state(0, q - v, v)|this argument is an expression"
  "input.set_reference(0, q, -v, v)|this argument is an expression")
set(accepted "inverse_dynamics(model, data, q, v, v), input.set_state(0, q.head(2), v), integrate(model, q, v, 0.1, q)")
file(MAKE_DIRECTORY ${WORK_DIR})
set(program "#include <spatial_dynamics/spatial_dynamics.hpp>
using namespace spatial_dynamics;
void call(const Model& model, Data& data, BatchData& batch, ControlInput& input, VectorXd q, VectorXd v, MatrixXd M) {
  (void)batch, (void)M;
  ${accepted};
")
# compile(text): sets `code` and `text`, the compiler's exit code and what it prints.
function(compile program)
  file(WRITE ${WORK_DIR}/rejected.cpp "${program}}\n")
  execute_process(COMMAND ${COMPILER} -std=c++17 -fsyntax-only -I${INCLUDE} -isystem ${EIGEN} ${WORK_DIR}/rejected.cpp
    RESULT_VARIABLE code ERROR_VARIABLE text OUTPUT_QUIET)
  set(code ${code} PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()

compile("${program}")
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${accepted} does not compile:\n${text}")
endif()
foreach(row IN LISTS statements)
  string(REGEX REPLACE "[|].*" "" statement "${row}")
  string(APPEND program "  ${statement};\n")
endforeach()
compile("${program}")
set(line 5)
foreach(row IN LISTS statements)
  math(EXPR line "${line} + 1")
  string(REGEX REPLACE ".*[|]" "" sentence "${row}")
  if(NOT text MATCHES "rejected.cpp:${line}:")
    message(SEND_ERROR "${row} compiles")
  elseif(NOT text MATCHES "spatial_dynamics: [^\n]*${sentence}")
    message(SEND_ERROR "${row}: the compiler does not print this:\n${text}")
  endif()
endforeach()
