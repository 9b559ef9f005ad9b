"""The type stubs describe the module, name by name."""
import ast
import inspect
import re
from pathlib import Path

import numpy as np

import spatial_dynamics as sd

STUBS = ast.parse((Path(sd.__file__).parent / "__init__.pyi").read_text()).body
CLASSES = {node.name: node for node in STUBS if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUBS if isinstance(node, ast.FunctionDef)}
OPTIONS_BY_NAME = ("load_urdf", "check")


def described(function):
    """The parameters of a stub: name and default, those that are given by name after a '*'."""
    arguments = function.args
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + [ast.literal_eval(x) for x in arguments.defaults]
    parameters = list(zip([x.arg for x in arguments.args], defaults))
    if arguments.kwonlyargs:
        parameters += [("*", None)] + [(x.arg, ast.literal_eval(d) if d else None)
                                       for x, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [(name, tuple(x) if isinstance(x, (list, tuple)) else x) for name, x in parameters]


def actual(function):
    """The same from the documentation of pybind11 or from the signature."""
    match = re.match(r"\w+\((.*)\) -> ", function.__doc__ or "")
    if match:  # pybind11: "name: type = default"
        text = re.sub(r"\[[^\[\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", match[1]))
        parts = re.findall(r"(\*{0,2}\w*)(?:: [\w.]+)?(?: = (\([^)]*\)|[^,]+))?(?:, |$)", text)
        found = [(name, ast.literal_eval(default) if default else None) for name, default in parts if name]
        return [pair for pair in found if pair[0] != "**kwargs"]
    parameters, by_name = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not by_name:
            by_name = True
            parameters.append(("*", None))
        parameters.append((parameter.name, None if parameter.default is parameter.empty else parameter.default))
    return parameters


def test_stubs_have_every_name():
    assert set(CLASSES) | set(FUNCTIONS) == set(sd.__all__)


def test_functions_have_the_parameters_of_their_stubs():
    for name, node in FUNCTIONS.items():
        expected = described(node)
        if name in OPTIONS_BY_NAME:
            expected = expected[:1]
        assert actual(getattr(sd, name)) == expected, name


def test_options_of_the_stubs_exist():
    defaults = {"gravity": (0, 0, -9.8), "armature": {}, "locked": {}}
    for name in OPTIONS_BY_NAME:
        for option, default in described(FUNCTIONS[name])[2:]:
            getattr(sd, name)('<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" '
                              'ixy="0" ixz="0" iyz="0"/></inertial></link></robot>', **{option: defaults.get(option, default)})


def test_classes_have_the_attributes_of_their_stubs():
    for name, node in CLASSES.items():
        kind = getattr(sd, name)
        if issubclass(kind, ValueError):
            continue
        stub = {x.target.id if isinstance(x, ast.AnnAssign) else x.name for x in node.body if not isinstance(x, ast.Expr)}
        public = {x for x in vars(kind) if not x.startswith("_") and not x.startswith("n_")}
        assert public == {x for x in stub if not x.startswith("_")}, name
        assert all(hasattr(kind, x) for x in stub), name
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and not method.decorator_list and not method.name.startswith("__"):
                expected = [pair for pair in described(method) if pair[0] != "self"]
                found = [pair for pair in actual(getattr(kind, method.name)) if pair[0] != "self"]
                assert found == expected, f"{name}.{method.name}"


def test_annotated_results_are_right(model):
    q = np.zeros((3, 7))
    one = [q[0]] * 3
    for name, node in FUNCTIONS.items():
        names = [x.arg for x in node.args.args]
        if "q" not in names or name in ("contact_forces",):
            continue
        arguments = {"q": q, "v": q, "a": q, "tau": q, "link": 1, "dt": 0.1}
        kind = ast.unparse(node.returns)
        batch = getattr(sd, name)(model, **{x: arguments[x] for x in names if x in arguments})
        single = getattr(sd, name)(model, **{x: one[0] if arguments[x] is q else arguments[x] for x in names if x in arguments})
        if kind == "float | Array":
            assert isinstance(single, float) and isinstance(batch, np.ndarray)
        elif kind == "Array":
            assert isinstance(single, np.ndarray) and batch.shape == (3, *single.shape)
        else:
            assert type(single).__name__ == type(batch).__name__ == kind


def test_everything_is_documented():
    for name in sd.__all__:
        text = getattr(sd, name).__doc__
        assert text and len(text) > 15, name
    for name in ("inverse_dynamics", "forward_dynamics", "jacobian"):
        text = getattr(sd, name).__doc__
        assert "rad or m: (nq,) or (N, nq)" in text and "Returns" in text
