# Fails if FOLDER, which is installed as a whole, has more than LIMIT headers.
file(GLOB_RECURSE headers ${FOLDER}/*.hpp)
list(LENGTH headers count)
message("${count} headers are installed, ${LIMIT} allowed")
if(count GREATER LIMIT)
  message(FATAL_ERROR "move headers that no user includes to src/")
endif()
