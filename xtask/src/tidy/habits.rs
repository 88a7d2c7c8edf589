//! Habits of wording and of shape that make code hard to read, counted per crate beside egui.
//!
//! `cargo xtask names` prints the counts. The rule in `rules/habits.rs` holds every crate to
//! the goals, or to the counts in `habits.toml` until it meets them.

pub mod limits;

use std::collections::{BTreeMap, BTreeSet};

use super::checkout::{Checkout, file_name, is_below};
use super::source::{DocComment, SourceFile};
use super::tokens::{Token, numbered_tokens, text_at};

/// One habit: how it is found and how much of it a crate may have.
pub struct Habit {
    /// Its name on the command line and in `habits.toml`.
    pub key: &'static str,
    pub base: Base,
    /// The highest rate that a crate may have.
    pub goal: f64,
    /// Advice on a better form, as the end of a message.
    pub remedy: &'static str,
    /// Returns the line numbers of a file's hits.
    find: fn(&SourceFile) -> Vec<usize>,
}

/// Quantity that a rate is relative to.
#[derive(Clone, Copy)]
pub enum Base {
    /// Hits per 1,000 lines of code.
    Lines,
    /// Percentage of doc comments.
    Docs,
}

/// The habits and goals of the review of 2026-11-29, which defines a rebinding as
/// `let x = x.iter(); let x = x.filter(…)`. A single `let x = x.clone();` does not count: it is
/// ordinary Rust, and egui has seven times as many.
pub const HABITS: [Habit; 6] = [
    Habit {
        key: "tuple-parameters",
        base: Base::Lines,
        goal: 0.4,
        remedy: "give each value a parameter, or group the values in a struct",
        find: find_tuple_parameters,
    },
    Habit {
        key: "named-closures",
        base: Base::Lines,
        goal: 0.9,
        remedy: "write a function, a loop, or the closure where it is used",
        find: find_named_closures,
    },
    Habit {
        key: "rebinding",
        base: Base::Lines,
        goal: 0.3,
        remedy: "write one chain, or name each value for what it holds",
        find: find_rebindings,
    },
    Habit {
        key: "what-docs",
        base: Base::Docs,
        goal: 0.4,
        remedy: "begin with a noun phrase for a type or a field, with a verb for a function",
        find: find_what_docs,
    },
    Habit {
        key: "speech-docs",
        base: Base::Docs,
        goal: 0.2,
        remedy: "use the field's verb: returns, sends, reports, computes, is",
        find: find_speech_docs,
    },
    Habit {
        key: "short-docs",
        base: Base::Docs,
        goal: 9.0,
        remedy: "delete the doc where the name says it, or write a sentence",
        find: find_short_docs,
    },
];

/// Verbs of people that docs should not use of programs.
const SPEECH_VERBS: [&str; 5] = ["told", "said", "asked", "stands", "heard"];

/// Largest number of words of a short doc.
const MAX_SHORT_DOC_WORDS: usize = 4;

/// Counts of egui, eframe, epaint and `egui_extras` 0.37.0 together, as
/// `cargo xtask names --of` prints them for the folders into which cargo fetched these crates.
pub const EGUI: HabitCounts = HabitCounts {
    code_line_count: 59_828,
    doc_count: 4_696,
    hit_counts: [11, 39, 26, 68, 29, 494],
};

/// Number of hits in some code, and the size of that code.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HabitCounts {
    pub code_line_count: usize,
    pub doc_count: usize,
    /// In the order of [`HABITS`].
    pub hit_counts: [usize; HABITS.len()],
}

/// The code of one crate.
pub struct CrateCode<'a> {
    pub name: String,
    /// Its files without those that only tests, benches or examples have.
    files: Vec<&'a SourceFile>,
}

impl Habit {
    pub fn with_key(key: &str) -> Result<&'static Self, String> {
        HABITS.iter().find(|habit| habit.key == key).ok_or_else(|| {
            let keys: Vec<&str> = HABITS.iter().map(|habit| habit.key).collect();
            format!("there is no habit `{key}`; the habits are {}", keys.join(", "))
        })
    }

    /// Computes the rate of `hit_count` in code of the size of `counts`. Returns 0 for no code.
    pub fn rate(&self, hit_count: usize, counts: &HabitCounts) -> f64 {
        let (base_count, scale) = match self.base {
            Base::Lines => (counts.code_line_count, 1000.0),
            Base::Docs => (counts.doc_count, 100.0),
        };
        if base_count == 0 { 0.0 } else { scale * hit_count as f64 / base_count as f64 }
    }
}

impl Base {
    /// Returns the unit of the rate, as a table shows it.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Lines => "per 1,000 lines",
            Self::Docs => "% of docs",
        }
    }
}

impl HabitCounts {
    pub fn add(&mut self, other: &Self) {
        self.code_line_count += other.code_line_count;
        self.doc_count += other.doc_count;
        for (sum, count) in self.hit_counts.iter_mut().zip(other.hit_counts) {
            *sum += count;
        }
    }
}

impl<'a> CrateCode<'a> {
    /// Collects the code of the repository's packages. Benchmarks and fuzz targets are left out.
    pub fn of_repository(checkout: &'a Checkout) -> Vec<Self> {
        let mut crates = Vec::new();
        for name in checkout.folders_in("crates") {
            let files = checkout.sources(&format!("crates/{name}"));
            crates.push(Self::new(name, files));
        }
        crates.push(Self::new("bindpose".to_owned(), checkout.sources("src")));
        crates.push(Self::new("web".to_owned(), checkout.sources("web")));
        crates.push(Self::new("xtask".to_owned(), checkout.sources("xtask")));
        crates
    }

    pub fn new(name: String, mut files: Vec<&'a SourceFile>) -> Self {
        let test_modules = find_test_modules(&files);
        files.retain(|file| {
            !is_beside_product(&file.name) && !is_in_module(&file.name, &test_modules)
        });
        Self { name, files }
    }

    pub fn count(&self) -> HabitCounts {
        let mut counts = HabitCounts::default();
        for file in &self.files {
            counts.code_line_count += file.code_line_count;
            counts.doc_count += file.docs.len();
            for (count, habit) in counts.hit_counts.iter_mut().zip(&HABITS) {
                *count += (habit.find)(file).len();
            }
        }
        counts
    }

    /// Returns the file and the line number of each hit.
    pub fn hits(&self, habit: &Habit) -> Vec<(&'a str, usize)> {
        let mut hits = Vec::new();
        for file in &self.files {
            for line in (habit.find)(file) {
                hits.push((file.name.as_str(), line));
            }
        }
        hits
    }
}

/// Counts each crate, by its name.
pub fn count_by_crate(crates: &[CrateCode<'_>]) -> BTreeMap<String, HabitCounts> {
    crates.iter().map(|one| (one.name.clone(), one.count())).collect()
}

/// Returns true if the path leads through a folder of tests, benches or examples.
fn is_beside_product(name: &str) -> bool {
    name.split('/').any(|part| ["tests", "benches", "examples"].contains(&part))
}

/// Returns the paths, without an ending, of the modules that only tests have.
fn find_test_modules(files: &[&SourceFile]) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for file in files {
        let path = file.name.trim_end_matches(".rs");
        let stem = file_name(path);
        // The modules of `mod.rs`, `lib.rs` and `main.rs` lie beside that file.
        let folder = match stem {
            "mod" | "lib" | "main" => path[..path.len() - stem.len()].to_owned(),
            _ => format!("{path}/"),
        };
        for module in &file.test_modules {
            paths.insert(format!("{folder}{module}"));
        }
    }
    paths
}

/// Returns true if the file holds one of these modules or a module inside one.
fn is_in_module(name: &str, modules: &BTreeSet<String>) -> bool {
    let path = name.trim_end_matches(".rs");
    modules.iter().any(|module| path == module || is_below(path, module))
}

/// A `let` that binds one name.
struct NameBinding<'a> {
    name: &'a str,
    line: usize,
    /// Index of the `let` among the tokens.
    start: usize,
    /// Index of the first token after `=`.
    value: usize,
    /// Index of the `;` that ends the statement.
    end: usize,
}

/// Finds `(a, b): (A, B)` among the parameters of functions and closures.
fn find_tuple_parameters(file: &SourceFile) -> Vec<usize> {
    let tokens = numbered_tokens(file.product());
    let mut lines = Vec::new();
    for start in 1..tokens.len() {
        if tokens[start].text != "(" {
            continue;
        }
        let before = tokens[..start].iter().rev().find(|token| token.text != "&");
        if !before.is_some_and(|token| ["(", ",", "|"].contains(&token.text)) {
            continue;
        }
        let end = find_at_depth_0(&tokens, start + 1, ")");
        let inside = &tokens[start..end.unwrap_or(start)];
        let is_tuple = inside.iter().any(|token| token.text == ",");
        if is_tuple && end.is_some_and(|end| text_at(&tokens, end + 1) == ":") {
            lines.push(tokens[start].line);
        }
    }
    lines
}

/// Finds `let name = |…| …`, with `move` or `async` too.
fn find_named_closures(file: &SourceFile) -> Vec<usize> {
    let tokens = numbered_tokens(file.product());
    let mut lines = Vec::new();
    for binding in name_bindings(&tokens) {
        let mut value = binding.value;
        while ["async", "move"].contains(&text_at(&tokens, value)) {
            value += 1;
        }
        if text_at(&tokens, value) == "|" {
            lines.push(binding.line);
        }
    }
    lines
}

/// Finds `let x = …; let x = x.…;`: two statements in a row that bind one name, of which the
/// second calls a method or takes a field of the first.
fn find_rebindings(file: &SourceFile) -> Vec<usize> {
    let tokens = numbered_tokens(file.product());
    let bindings = name_bindings(&tokens);
    let mut lines = Vec::new();
    for second in &bindings {
        let takes_itself = text_at(&tokens, second.value) == second.name
            && text_at(&tokens, second.value + 1) == ".";
        let first = bindings.iter().find(|first| first.end + 1 == second.start);
        if takes_itself && first.is_some_and(|first| first.name == second.name) {
            lines.push(second.line);
        }
    }
    lines
}

/// Finds docs of which the first word is What or Who.
fn find_what_docs(file: &SourceFile) -> Vec<usize> {
    find_docs(file, |doc| {
        let first_word = words(&doc.text).next();
        first_word.is_some_and(|word| ["what", "who"].contains(&word.to_lowercase().as_str()))
    })
}

/// Finds docs with one of the [`SPEECH_VERBS`].
fn find_speech_docs(file: &SourceFile) -> Vec<usize> {
    find_docs(file, |doc| {
        words(&doc.text).any(|word| SPEECH_VERBS.contains(&word.to_lowercase().as_str()))
    })
}

/// Finds docs of at most [`MAX_SHORT_DOC_WORDS`].
fn find_short_docs(file: &SourceFile) -> Vec<usize> {
    find_docs(file, |doc| doc.text.split_whitespace().count() <= MAX_SHORT_DOC_WORDS)
}

fn find_docs(file: &SourceFile, is_hit: impl Fn(&DocComment) -> bool) -> Vec<usize> {
    file.docs.iter().filter(|doc| is_hit(doc)).map(|doc| doc.line).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Reads every `let name = …;` and `let name: Type = …;`, those inside others too.
fn name_bindings<'a>(tokens: &[Token<'a>]) -> Vec<NameBinding<'a>> {
    let mut bindings = Vec::new();
    for (start, token) in tokens.iter().enumerate() {
        if token.text != "let" {
            continue;
        }
        let name_index = start + if text_at(tokens, start + 1) == "mut" { 2 } else { 1 };
        let equals = match text_at(tokens, name_index + 1) {
            "=" => Some(name_index + 1),
            ":" => find_end_of_type(tokens, name_index + 2),
            _ => None,
        };
        if let Some(equals) = equals
            && let Some(end) = find_at_depth_0(tokens, equals + 1, ";")
        {
            bindings.push(NameBinding {
                name: text_at(tokens, name_index),
                line: token.line,
                start,
                value: equals + 1,
                end,
            });
        }
    }
    bindings
}

/// Returns the index of the `=` after a type. Returns None if nothing is assigned.
fn find_end_of_type(tokens: &[Token<'_>], start: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.text {
            "<" | "(" | "[" => depth += 1,
            ">" if tokens[index - 1].text == "-" => {}
            ">" | ")" | "]" => depth -= 1,
            "=" if depth == 0 => return Some(index),
            ";" if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Returns the index of the first `sign` that is outside all brackets that open after
/// `start`. Returns None if the brackets around `start` close before.
fn find_at_depth_0(tokens: &[Token<'_>], start: usize, sign: &str) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        if depth == 0 && token.text == sign {
            return Some(index);
        }
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines on which the habit is found in a file of this text.
    fn hits(key: &str, text: &str) -> Vec<usize> {
        let habit = Habit::with_key(key).expect("a habit");
        (habit.find)(&SourceFile::new("src/lib.rs".to_owned(), text.to_owned()))
    }

    fn assert_hit(key: &str, text: &str) {
        assert_eq!(hits(key, text), [1], "{key}: {text}");
    }

    fn assert_no_hit(key: &str, text: &str) {
        assert_eq!(hits(key, text), Vec::<usize>::new(), "{key}: {text}");
    }

    #[test]
    fn tuple_parameters_are_patterns_with_a_type() {
        for code in [
            "fn draw((cell, id): (&ViewportCell, &str)) {}",
            "fn draw<F: Fn(u8) -> u8>(ui: &mut Ui, &(low, high): &(f32, f32), f: F) {}",
            "impl Page { fn draw(&self, (at, (low, high)): (Pos2, Range)) {} }",
            "let near = pairs.filter(|&&(a, b): &&(f64, f64)| a < b);",
        ] {
            assert_hit("tuple-parameters", code);
        }
        for code in [
            "fn draw(pair: (&ViewportCell, &str)) {}",
            "fn draw(map: HashMap<u8, (u8, u8)>, f: fn((u8, u8)) -> u8) {}",
            "fn draw(Size(width, height): Size) {}",
            "let (a, b): (u8, u8) = pair;",
            "let sums = pairs.map(|(a, b)| a + b);",
            "let value = json!({ \"a\": 1, (key): 2 });",
            "// fn draw((cell, id): (&ViewportCell, &str)) {}",
        ] {
            assert_no_hit("tuple-parameters", code);
        }
    }

    #[test]
    fn named_closures_are_values_of_a_let() {
        for code in [
            "let add = |a: u8, b: u8| a + b;",
            "let mut next = || 1;",
            "let send = move |text| channel.send(text);",
            "let read = async move |file| open(file).await;",
            "let add: &dyn Fn(u8) -> u8 = |a| a;",
        ] {
            assert_hit("named-closures", code);
        }
        for code in [
            "let sum = numbers.map(|one| one + 1);",
            "let either = a | b;",
            "fn add(a: u8) -> u8 { a }",
            "if let Some(a) = b || c {}",
            "let text = \"let add = |a| a;\";",
        ] {
            assert_no_hit("named-closures", code);
        }
    }

    #[test]
    fn rebindings_are_two_statements_in_a_row() {
        for code in [
            "let x = a.iter(); let x = x.filter(is_odd);",
            "let mut x: Vec<u8> = x.f(|y| { g(y); }); let x: u8 = x.len();",
        ] {
            assert_hit("rebinding", code);
        }
        assert_eq!(hits("rebinding", "let x = a;\nlet x = x.b();\nlet x = x.c();"), [2, 3]);
        for code in [
            "let x = x.clone();",
            "let x = a.iter(); let y = x.filter(is_odd);",
            "let x = a.iter(); let x = filter(x);",
            "let x = a.iter(); print(x); let x = x.filter(is_odd);",
            "let x = a.iter(); let xs = 1; let x = x.filter(is_odd);",
        ] {
            assert_no_hit("rebinding", code);
        }
    }

    #[test]
    fn what_docs_begin_with_the_word() {
        for code in
            ["/// What follows.\nstruct A;", "//! Who asks.", "/// *What* it is.\nfn f() {}"]
        {
            assert_hit("what-docs", code);
        }
        for code in [
            "/// Whatever follows.\nstruct A;",
            "/// Values of which\n/// What is one.\nstruct A;",
            "// What follows.\nstruct A;",
            "let text = \"\n/// What follows.\n\";",
        ] {
            assert_no_hit("what-docs", code);
        }
    }

    #[test]
    fn speech_docs_have_one_of_the_verbs() {
        for verb in SPEECH_VERBS {
            assert_hit("speech-docs", &format!("/// The value\n/// that is {verb}.\nstruct A;"));
        }
        assert_no_hit("speech-docs", "/// Misunderstands the task, basked.\nstruct A;");
        assert_no_hit("speech-docs", "// It is told.\nstruct A;");
    }

    #[test]
    fn short_docs_have_at_most_four_words() {
        assert_hit("short-docs", "/// Of the name.\nstruct A;");
        assert_hit("short-docs", "/// One two\n/// three four.\nstruct A;");
        assert_no_hit("short-docs", "/// One two\n/// three four five.\nstruct A;");
    }

    #[test]
    fn code_of_tests_counts_nowhere() {
        let texts = [
            ("src/lib.rs", "mod a;\n#[cfg(test)]\nmod heat_tests;\n#[cfg(test)]\nmod sample;"),
            ("src/domain.rs", "#[cfg(test)]\nmod cases;"),
            ("src/domain/cases.rs", "/// What.\nfn f() {}"),
            ("src/a.rs", "/// What.\n#[test]\nfn f() {}\n\n#[cfg(test)]\nmod width_tests;"),
            ("src/a/width_tests.rs", "/// What.\nfn f() { let f = |a| a; }"),
            ("heat_tests.rs", "/// What.\nfn f() {}"),
            ("lib.rs", "#[cfg(test)]\nmod heat_tests;"),
            ("src/heat_tests.rs", "/// What.\nfn f() {}"),
            ("src/sample/deep.rs", "/// What.\nfn f() {}"),
            ("src/samples.rs", "/// What.\nfn f() {}\n// No code.\n\n"),
            ("tests/page.rs", "/// What.\nfn f() {}"),
        ];
        let files = texts.map(|(name, text)| SourceFile::new(name.to_owned(), text.to_owned()));
        let code = CrateCode::new("skin".to_owned(), files.iter().collect());
        let habit = Habit::with_key("what-docs").expect("a habit");
        assert_eq!(code.hits(habit), [("src/samples.rs", 1)]);
        let counts = code.count();
        assert_eq!((counts.code_line_count, counts.doc_count), (2, 1));
        assert_eq!(counts.hit_counts, [0, 0, 0, 1, 0, 1]);
    }

    #[test]
    fn rates_are_per_thousand_lines_and_per_hundred_docs() {
        let counts = HabitCounts { code_line_count: 2_000, doc_count: 50, hit_counts: [0; 6] };
        assert_eq!(HABITS[0].rate(3, &counts), 1.5);
        assert_eq!(HABITS[5].rate(3, &counts), 6.0);
        assert_eq!(HABITS[0].rate(0, &HabitCounts::default()), 0.0);
    }

    #[test]
    fn counts_of_crates_add_up() {
        let mut sum = HabitCounts { code_line_count: 1, doc_count: 2, hit_counts: [3; 6] };
        sum.add(&HabitCounts { code_line_count: 10, doc_count: 20, hit_counts: [30; 6] });
        let expected = HabitCounts { code_line_count: 11, doc_count: 22, hit_counts: [33; 6] };
        assert_eq!(sum, expected);
    }

    #[test]
    fn an_unknown_habit_is_rejected_with_the_known_ones() {
        let problem = Habit::with_key("closures").err().unwrap_or_default();
        assert!(problem.contains("`closures`") && problem.contains("named-closures"), "{problem}");
    }
}
