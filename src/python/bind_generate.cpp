#include "bindings.hpp"
#include "spatial_dynamics/dynamics/generated_library.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"

namespace spatial_dynamics::python {
namespace {

/// The library of one robot, with the sizes of its arguments.
struct LibraryObject {
  GeneratedLibrary library;
  Index nq, nv;
};

/// A batch of states as generated functions expect it: one behind the other.
class GeneratedArgument {
 public:
  GeneratedArgument(const py::object& object, const char* function, const char* name, Index size)
      : rows_(rows(object, function, name)) {
    if (rows_.size(1) != size) wrong(function, name, "(N, " + std::to_string(size) + ")");
    if (rows_.stride() != size) rows_.detach();
  }
  void require_states(Index states, const char* function, const char* name) const {
    if (rows_.size(0) == states) return;
    wrong(function, name, std::to_string(states) + " rows");
  }
  [[nodiscard]] Index states() const noexcept { return rows_.size(0); }
  [[nodiscard]] const double* data() const noexcept { return rows_.data(); }

 private:
  static ArrayArgument rows(const py::object& object, const char* function, const char* name) {
    ArrayArgument array;
    array.read(object.ptr(), function, name);
    if (array.dimensions() != 2) {
      throw std::invalid_argument(std::string(function) + "(): " + name + " has the shape " +
                                  array.shape() + ", expected one state per row.");
    }
    return array;
  }
  [[noreturn]] void wrong(const char* function, const char* name,
                          const std::string& expected) const {
    throw std::invalid_argument(std::string(function) + "(): " + name + " has the shape " +
                                rows_.shape() + ", expected " + expected + ".");
  }

  ArrayArgument rows_;
};

Vector3 gravity_of(const py::object& gravity) {
  const VectorXd x = vector_of(gravity, "GeneratedLibrary", "gravity");
  if (x.size() != 3) {
    throw std::invalid_argument("GeneratedLibrary: gravity has " + std::to_string(x.size()) +
                                " numbers, expected 3.");
  }
  return x;
}

/// Calls inverse or forward dynamics.
template <typename Function>
py::array call(const LibraryObject& object, Function function, const char* name, const char* last,
               const py::object& q, const py::object& v, const py::object& x,
               const py::object& gravity) {
  const GeneratedArgument q_(q, name, "q", object.nq), v_(v, name, "v", object.nv),
      x_(x, name, last, object.nv);
  v_.require_states(q_.states(), name, "v");
  x_.require_states(q_.states(), name, last);
  const Vector3 g = gravity_of(gravity);
  MatrixXd result(object.nv, q_.states());
  {
    const py::gil_scoped_release without_lock;
    function(static_cast<int>(q_.states()), q_.data(), v_.data(), x_.data(), g.data(), nullptr,
             nullptr, result.data());
  }
  return matrix_array_of(MatrixXd(result.transpose()));
}

py::array mass_matrices(const LibraryObject& object, const py::object& q) {
  const GeneratedArgument q_(q, "mass_matrix", "q", object.nq);
  const Index n = object.nv;
  MatrixXd result(n * n, q_.states());
  object.library.functions().mass_matrix_batch(static_cast<int>(q_.states()), q_.data(), nullptr,
                                               result.data());
  ResultArray array;  // an entry of M is at column * n + row
  array.create({2, {n, n}, 1, n}, q_.states());
  array.write(result.data(), 0, q_.states());
  return py::reinterpret_steal<py::array>(array.release());
}

void bind_code(py::module_& module) {
  py::class_<GeneratedFunction>(module, "GeneratedFunction", py::module_local(), py::is_final(),
                                "The operations of one generated function.")
      .def_readonly("name", &GeneratedFunction::name)
      .def_readonly("multiplications", &GeneratedFunction::multiplications)
      .def_readonly("additions", &GeneratedFunction::additions)
      .def_readonly("divisions", &GeneratedFunction::divisions)
      .def("__repr__", [](const py::handle& x) {
        return repr_of(x, "GeneratedFunction",
                       {"name", "multiplications", "additions", "divisions"});
      });
  py::class_<GeneratedCode>(module, "GeneratedCode", py::module_local(), py::is_final(),
                            "C++ code for the dynamics of one robot: texts of NAME.hpp and "
                            "NAME.cpp.")
      .def_readonly("name", &GeneratedCode::name)
      .def_readonly("header", &GeneratedCode::header)
      .def_readonly("source", &GeneratedCode::source)
      .def_property_readonly(
          "functions", [](const GeneratedCode& x) { return py::tuple(py::cast(x.functions)); })
      .def("__repr__", [](const GeneratedCode& x) { return "<GeneratedCode '" + x.name + "'>"; });
  module.def(
      "generate_code",
      [](const ModelObject& m, const std::string& name, const std::string& payload_link) {
        return generate_code(m.model, {name, payload_link});
      },
      py::arg("model"), py::arg("name") = "", py::arg("payload_link") = "",
      "C++ code of inverse dynamics, mass matrix and forward dynamics of this robot.");
}

}  // namespace

void bind_generate(py::module_& module) {
  bind_code(module);
  const auto standard_gravity =
      py::make_tuple(kStandardGravity.x(), kStandardGravity.y(), kStandardGravity.z());
  py::class_<LibraryObject>(module, "GeneratedLibrary", py::module_local(), py::is_final(),
                            "Generated code, compiled for this machine, loaded, and compared with "
                            "the library.")
      .def_static(
          "build",
          [](const ModelObject& m, const std::string& folder, const std::string& name,
             const std::string& payload_link) {
            return LibraryObject{GeneratedLibrary::build(m.model, {name, payload_link}, folder),
                                 m.model.nq(), m.model.nv()};
          },
          py::arg("model"), py::arg("folder"), py::arg("name") = "", py::arg("payload_link") = "",
          "Compiles with $CXX or c++ into `folder`, once for each robot. Raises "
          "RuntimeError if the\ncompiler fails or results differ.")
      .def_property_readonly("path", [](const LibraryObject& x) { return x.library.path(); })
      .def(
          "inverse_dynamics",
          [](const LibraryObject& o, const py::object& q, const py::object& v, const py::object& a,
             const py::object& gravity) {
            return call(o, o.library.functions().inverse_dynamics_batch, "inverse_dynamics", "a", q,
                        v, a, gravity);
          },
          py::arg("q"), py::arg("v"), py::arg("a"), py::arg("gravity") = standard_gravity,
          "Torques, N m or N, of a batch: (N, nq), (N, nv), (N, nv) to (N, nv).")
      .def(
          "forward_dynamics",
          [](const LibraryObject& o, const py::object& q, const py::object& v,
             const py::object& tau, const py::object& gravity) {
            return call(o, o.library.functions().forward_dynamics_batch, "forward_dynamics", "tau",
                        q, v, tau, gravity);
          },
          py::arg("q"), py::arg("v"), py::arg("tau"), py::arg("gravity") = standard_gravity,
          "Accelerations of a batch: (N, nq), (N, nv), (N, nv) to (N, nv).")
      .def("mass_matrix", mass_matrices, py::arg("q"),
           "Mass matrices of a batch: (N, nq) to (N, nv, nv).");
  module.def(
      "find_difference",
      [](const LibraryObject& generated, const ModelObject& m, const std::string& link) {
        return find_difference(generated.library.functions(), m.model, link);
      },
      py::arg("generated"), py::arg("model"), py::arg("payload_link") = "",
      "An empty text if generated code and library agree on random states, else a sentence.");
  module.def("available_isas", available_isas,
             "The instruction sets that this machine can use, slowest first.");
  module.def("chosen_isa", chosen_isa, "The instruction set in use.");
  module.def("isa_remark", isa_remark,
             "A warning if $SPATIAL_DYNAMICS_ISA is not available; else empty.");
}

}  // namespace spatial_dynamics::python
