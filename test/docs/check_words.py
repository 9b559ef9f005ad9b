#!/usr/bin/env python3
"""check_words.py [PATH...]: finds words that the project does not use, and prints replacements.

Checks pages and scripts as a whole; in C++ and Python code comments, string literals, test names,
and names that contain a retired project term. Finds phrases across line breaks and in CamelCase.
PATH is a file or a folder of the repository; without it, all of the repository is checked.
Exceptions are in allowed_words.txt, one "file: phrase" in lower case per line; those no longer
needed are reported.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = Path(__file__).with_name("allowed_words.txt")
FOLDERS = ["benchmarks", "cmake", "config", "docs", "examples", "include", "launch", "scripts", "src", "test", "urdf"]
TEXT = {".md", ".sh", ".cmake", ".txt", ".yaml", ".xml", ".urdf", ".in", ""}
CODE = {".cpp", ".hpp", ".idl", ".py"}
UNREAD = re.compile(r"test/docs/(check|allowed)_words\.|test/fuzz/corpus/|\.(git|ci|github)/|__pycache__")

# What is not written, and what to write instead. A blank stands for any white space or a line
# break.
PHRASES = [
    (r"rooms?", "layer; of memory: space"),
    (r"doors?", "front end"),
    (r"houses?", "architecture"),
    (r"tells?|told|telling", "report, print, receive, distinguish, show"),
    (r"says|said|saying", "reports, prints, states, names"),
    (r"speaks?|spoke|spoken|speaking", "use (a protocol), mention, report"),
    (r"(?:go|goes|went) blind", "receives no states"),
    (r"mend(?:s|ed|ing)?", "fix, correct"),
    (r"(?<!connection\s)refus(?:e|es|ed|ing|als?)", "reject, rejection"),
    (r"forg(?:e|o)t(?:s|ten|ting)?", "discard, reset"),
    (r"t(?:ake|akes|aken|aking|ook)[ -]over|take-?over", "replace, copy, adopt"),
    (r"glid(?:e|es|ed|ing)", "ramp"),
    (r"fad(?:e|es|ed|ing)", "ramp, crossfade; of an error: decay"),
    (r"w(?:inds?|ound|inding)[ -]down", "ramp down, ramping down"),
    (r"sweeps?|swept|sweeping", "pass (forward pass, backward pass)"),
    (r"stances?", "pose"),
    (r"slopes", "derivatives"),
    (r"own coordinates", "unreduced coordinates"),
    (r"couples?", "moment (or torque); of a number: two, several"),
    (r"oddit(?:y|ies)", "rejection reason, finding"),
    (r"contenders?", "benchmark candidate"),
    (r"tellers?", "a name that states what it logs"),
    (r"(?:of )?no matter(?: can)? ha(?:s|ve)|of no matter|matter can have", "physically inconsistent (inertia)"),
    (r"turned(?! (?:on|off|over|into)\b)", "rotated"),
    (r"carried(?! (?:out|by)\b)", "transformed, transferred, supported, kept"),
    (r"taken in(?! (?:the|this|that|a|an|order)\b)", "included"),
    (r"lest", "so that ... not"),
    (r"for (?:the )?want of", "without, because there is no"),
    (r"who(?:so)?ever", "anyone who, the thread that, the caller"),
    (r"ones? that", "name the thing: a link that, a message that"),
    (r"of which", "split the sentence, or whose"),
    (r"upon", "on"),
    (r"affair", "state who decides or is responsible"),
]
ANY_PHRASE = re.compile(r"\b(?:" + "|".join(f"({phrase})" for phrase, _ in PHRASES).replace(" ", r"\s+") + r")\b")
# Retired project terms, not allowed in names either.
TERMS = {"oddity": "RejectionReason or Finding", "oddities": "rejection_reasons or findings", "contender": "candidate",
         "contenders": "candidates", "teller": "the name of what it logs", "stance": "pose", "stances": "poses", "slopes": "derivatives",
         "sweep": "pass", "sweeps": "passes", "glide": "ramp", "refuse": "reject", "refuses": "rejects", "refused": "rejected",
         "refusing": "rejecting", "refusal": "rejection", "refusals": "rejections", "forget": "discard", "forgets": "discards",
         "forgot": "discarded"}
# The same for words that follow each other in a name.
TERM_PHRASES = {"take over": "replace, adopt", "takes over": "replaces, adopts", "took over": "replaced, adopted",
                "takeover": "replacement", "let go": "release", "diagnostics say": "diagnostics show"}
TYPES = {"Want": "RequestedQuantity", "Course": "TrajectoryState"}
NAME = re.compile("|".join([*TERMS, *TYPES, *(phrase.replace(" ", "_?") for phrase in TERM_PHRASES)]), re.I)

TEST = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)")
CPP = re.compile(r"""//[/!<]*([^\n]*)|/\*(.*?)\*/|R"(\w*)\((.*?)\)\3"|"((?:\\.|[^"\\\n])*)"|'(?:\\.|[^'\\\n])+'|[^"'/\nR]+|.""", re.S)
PYTHON = re.compile(r"""#([^\n]*)|(\"{3}|'{3})(.*?)\2|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|def test(\w+)|[^"'#\nd]+|.""", re.S)


def words_of(text):
    """CamelCase as separate words, in lower case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text).lower()


def prose_of(path, text):
    """What people read, in lower case. Code other than comments, string literals and names of tests
    becomes "|"; line breaks stay."""
    def reduce(part):
        if part.lastindex:
            read = part[part.lastindex].replace(r"\n", " ")
            return read.replace("_", " ") if part[0].startswith("def ") else read
        return part[0] if part[0].isspace() else "|"

    if path.suffix == ".py":
        text = PYTHON.sub(reduce, text)
    elif path.suffix in CODE:
        text = TEST.sub(lambda test: f"/*| {test[1]} | {test[2]} |*/" + "\n" * test[0].count("\n"), text)
        text = CPP.sub(reduce, text)
    return words_of(re.sub(r"[*`]", "", text))


def hits_of(path, text):
    """(line, what was found, what to write instead) of the text of a file."""
    prose = prose_of(path, text)
    hits = set()
    for hit in ANY_PHRASE.finditer(prose):
        hits.add((prose.count("\n", 0, hit.start()) + 1, " ".join(hit[0].split()), PHRASES[hit.lastindex - 1][1]))
    read = {(line, found) for line, found, _ in hits}
    for line, code in enumerate(text.splitlines(), 1) if path.suffix in CODE else []:
        for name in re.findall(r"\w+", code) if NAME.search(code) else []:
            words = words_of(name).replace("_", " ")
            advice = next((TERMS[word] for word in words.split() if word in TERMS), None)
            advice = advice or next((TERM_PHRASES[p] for p in TERM_PHRASES if f" {p} " in f" {words} "), TYPES.get(name))
            if name in TYPES or (advice and (line, name.lower()) not in read):
                hits.add((line, name.lower(), advice))
    return hits


def files_in(place):
    found = sorted(place.rglob("*")) if place.is_dir() else [place]
    for path in found:
        if path.is_file() and path.suffix in TEXT | CODE and not UNREAD.search(path.as_posix()):
            yield path


def check_itself():
    sample = '// refuses what\n// is of\n// which\nTEST(Door, FadesOut) { Oddity x = f("says"); int room; }\n' \
        'int refusal_of(); void judge_take_over(); bool letGo; int take_overhang;'
    found = {(line, phrase) for line, phrase, _ in hits_of(Path("sample.cpp"), sample)}
    expected = {(1, "refuses"), (2, "of which"), (4, "door"), (4, "fades"), (4, "oddity"), (4, "says"),
                (5, "refusal_of"), (5, "judge_take_over"), (5, "letgo")}
    assert found == expected, found


def main():
    check_itself()
    places = [Path(argument).resolve() for argument in sys.argv[1:]]
    everything = not places or places == [ROOT]
    if everything:
        places = [*(ROOT / folder for folder in FOLDERS), *ROOT.glob("*.md"), ROOT / "CMakeLists.txt", ROOT / "package.xml"]
    allowed = [tuple(line.split(": ", 1)) for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")]
    unused, count, files = set(allowed), 0, 0
    for place in places:
        for path in files_in(place):
            files += 1
            name = path.relative_to(ROOT).as_posix() if ROOT in path.parents else str(path)
            for line, found, advice in sorted(hits_of(path, path.read_text(errors="replace"))):
                if (name, found) in allowed:
                    unused.discard((name, found))
                    continue
                count += 1
                print(f"{name}:{line}: {found} -> {advice}")
    if everything:
        for name, phrase in sorted(unused):
            count += 1
            print(f"{ALLOWED.relative_to(ROOT)}: '{phrase}' is no longer in {name} -> remove the exception")
    print(f"{count} in {files} files")
    return 1 if count or files < (500 if everything else 1) else 0


if __name__ == "__main__":
    sys.exit(main())
