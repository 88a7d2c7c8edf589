//! Reads the body of a cell once with each of its draws. In its texts, `{up}`
//! stands for a drawn number, `{2.25+up}` for what follows from it, and
//! `{2.25+up:0.00}` for the same as readers see it, with as many digits.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bindpose_diagnostic::{Diagnostic, Place, did_you_mean};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::expr::is_reserved;
use super::toml_error::ValueError;
use super::toml_value::read;
use super::{EvalError, Expr, NumberFormat, Quantity, Values};

/// The key that lists them.
pub(super) const DRAWS: &str = "draws";
/// More are not told apart by anybody.
const MOST: usize = 24;
const HELP: &str = "write draws = [{ up = 0.5 }, { up = 0.75 }], and {up} in the texts";

/// How the body of a cell becomes what it says.
pub(crate) trait ReadBody: Sized {
    fn read_body(table: &DeTable<'_>) -> Result<Self, ValueError>;
}

impl<T: DeserializeOwned> ReadBody for T {
    fn read_body(table: &DeTable<'_>) -> Result<Self, ValueError> {
        read(table)
    }
}

impl<T: DeserializeOwned> ReadBody for CellDraws<T> {
    fn read_body(table: &DeTable<'_>) -> Result<Self, ValueError> {
        let Some(draws) = table.get(DRAWS) else {
            return read(table).map(Self::alone);
        };
        let start = draws.span().start;
        let Listed { draws } = read(table)?;
        let draws = checked(draws).map_err(|wrong| ValueError::from(wrong).within(start))?;
        let draws = draws.into_iter().map(|numbers| {
            let cell = read(&filled(table, &numbers)?)?;
            Ok(Draw { numbers, cell })
        });
        let draws = draws.collect::<Result<_, ValueError>>()?;
        Self::from_draws(draws).ok_or_else(|| few(0).into())
    }
}

/// What a cell lists; its other keys are read for each draw.
#[derive(Deserialize)]
struct Listed {
    draws: Vec<BTreeMap<String, Quantity>>,
}

type Numbers = Vec<(String, f64)>;

/// Two draws or more, with the same names, no two alike.
fn checked(draws: Vec<BTreeMap<String, Quantity>>) -> Result<Vec<Numbers>, Diagnostic> {
    if !(2..=MOST).contains(&draws.len()) {
        return Err(few(draws.len()));
    }
    let numbers = |draw: BTreeMap<String, Quantity>| {
        let numbers = draw.into_iter();
        numbers.map(|(name, Quantity(value))| (name, value)).collect()
    };
    let draws: Vec<Numbers> = draws.into_iter().map(numbers).collect();
    let names =
        |draw: &Numbers| -> Vec<String> { draw.iter().map(|(name, _)| name.clone()).collect() };
    let first = names(&draws[0]);
    if let Some(taken) = first.iter().find(|name| is_reserved(name)) {
        let title = format!("`{taken}` cannot be the name of a drawn number");
        return Err(Diagnostic::said("NAME_TAKEN", title).help("choose another name"));
    }
    for (index, draw) in draws.iter().enumerate() {
        if names(draw) != first {
            let title = format!("draw {} has other names than the first", index + 1);
            return Err(Diagnostic::said("UNEXPECTED", title).help(HELP));
        }
        if draws[..index].contains(draw) {
            let title = format!("draw {} has the numbers of an earlier one", index + 1);
            return Err(Diagnostic::said("REPEATED", title).help("leave one of them out"));
        }
    }
    Ok(draws)
}

fn few(found: usize) -> Diagnostic {
    Diagnostic::expected(format!("a list of 2 to {MOST} draws"), found.to_string()).help(HELP)
}

/// The body with the numbers in the place of their braces.
fn filled<'t>(table: &DeTable<'t>, numbers: &Numbers) -> Result<DeTable<'t>, ValueError> {
    let mut table = table.clone();
    table.remove(DRAWS);
    for (_, value) in &mut table {
        fill(value, numbers)?;
    }
    Ok(table)
}

fn fill(value: &mut Spanned<DeValue<'_>>, numbers: &Numbers) -> Result<(), ValueError> {
    let start = value.span().start;
    match value.get_mut() {
        DeValue::String(text) if text.contains(['{', '}']) => {
            let filled = filled_text(text, numbers);
            *text = Cow::Owned(filled.map_err(|wrong| ValueError::from(wrong).within(start))?);
        }
        DeValue::Array(items) => items.iter_mut().try_for_each(|item| fill(item, numbers))?,
        DeValue::Table(table) => {
            for (_, value) in &mut *table {
                fill(value, numbers)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn filled_text(text: &str, numbers: &Numbers) -> Result<String, Diagnostic> {
    let mut filled = String::new();
    for piece in pieces(text) {
        match piece? {
            (_, BracedPiece::Words(words)) => filled.push_str(words),
            (_, BracedPiece::Number(inner)) => filled.push_str(&printed(inner, numbers)?),
        }
    }
    Ok(filled)
}

/// For each byte of a filled text, and for its end, the byte of the text with braces
/// that it comes from.
pub(crate) fn filled_places(text: &str, numbers: &[(String, f64)], filled: &str) -> Vec<usize> {
    if numbers.is_empty() {
        return (0..=text.len()).collect();
    }
    let mut places = Vec::with_capacity(filled.len() + 1);
    for (start, piece) in pieces(text).filter_map(Result::ok) {
        match piece {
            BracedPiece::Words(words) => places.extend(start..start + words.len()),
            BracedPiece::Number(inner) => {
                let printed = printed(inner, numbers).unwrap_or_default();
                places.extend(std::iter::repeat_n(start, printed.len()));
            }
        }
    }
    places.push(text.len());
    places
}

/// A piece of a text with braces.
enum BracedPiece<'t> {
    Words(&'t str),
    /// What stands between two braces.
    Number(&'t str),
}

/// The pieces of a text, each with where it begins.
fn pieces(text: &str) -> impl Iterator<Item = Result<(usize, BracedPiece<'_>), Diagnostic>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = text.len() - rest.len();
        if rest.is_empty() {
            return None;
        }
        let mut braces = rest.match_indices('{').map(|(at, _)| at);
        let brace = braces.find(|&at| !is_tex(text, start + at));
        let brace = brace.unwrap_or(rest.len());
        if brace > 0 {
            let (words, after) = rest.split_at(brace);
            rest = after;
            return Some(Ok((start, BracedPiece::Words(words))));
        }
        let inside = &rest[1..];
        let closed = inside.split_once('}').filter(|(inner, _)| !inner.contains('{'));
        let Some((inner, after)) = closed else {
            rest = "";
            let wrong = Diagnostic::expected("a } for every {", format!("`{text}`"));
            return Some(Err(wrong.help(HELP)));
        };
        rest = after;
        Some(Ok((start, BracedPiece::Number(inner))))
    })
}

/// Is the brace at this byte one of LaTeX: within `$…$`, after a command, `^`, `_` or
/// another group?
fn is_tex(text: &str, brace: usize) -> bool {
    let before = text.get(..brace).unwrap_or_default();
    before.matches('$').count() % 2 == 1
        && before.ends_with(|c: char| matches!(c, '^' | '_' | '}') || c.is_ascii_alphabetic())
}

/// What stands between two braces: a formula, perhaps a colon and how its value
/// is to be written.
fn printed(inner: &str, numbers: &[(String, f64)]) -> Result<String, Diagnostic> {
    let (formula, format) = match inner.split_once(':') {
        Some((formula, format)) => (formula, Some(format)),
        None => (inner, None),
    };
    let value = Expr::parse(formula)
        .map_err(|wrong| wrong.at(Place::default()))?
        .eval(&DrawnNumbers(numbers))
        .map_err(|error| {
            let names: Vec<&str> = numbers.iter().map(|(name, _)| name.as_str()).collect();
            let help = match &error {
                EvalError::UnknownParam { name, .. } => did_you_mean(name, &names),
                _ => format!("use only numbers and {}", names.join(", ")),
            };
            Diagnostic::said("NO_VALUE", format!("`{{{inner}}}`: {error}")).help(help)
        })?;
    match format {
        Some(format) => Ok(NumberFormat::parse(format)?.print(value)),
        None => Ok(value.to_string()),
    }
}

/// Formulas between braces know the drawn numbers and nothing of the page.
struct DrawnNumbers<'a>(&'a [(String, f64)]);

impl Values for DrawnNumbers<'_> {
    fn param(&self, name: &str) -> Option<f64> {
        let found = self.0.iter().find(|(other, _)| other == name);
        found.map(|&(_, value)| value)
    }
    fn joints(&self) -> usize {
        0
    }
    fn rows(&self) -> usize {
        0
    }
    fn vertices(&self) -> usize {
        0
    }
    fn crowd(&self) -> u32 {
        1
    }
}

// Exercises that can be done again with other numbers: their cell lists draws,
// and is read once with each of them.

/// A cell with its draws: at least one, which has no numbers where the cell lists
/// none.
#[derive(Clone, Debug, PartialEq)]
pub struct CellDraws<T> {
    /// Apart, since questions say much.
    first: Box<Draw<T>>,
    others: Vec<Draw<T>>,
}

/// A cell as it reads with one set of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw<T> {
    /// By their names; radians for angles.
    pub numbers: Vec<(String, f64)>,
    /// What the cell says with them.
    pub cell: T,
}

impl<T> CellDraws<T> {
    /// A cell that lists no draws.
    pub fn alone(cell: T) -> Self {
        let numbers = Vec::new();
        Self { first: Box::new(Draw { numbers, cell }), others: Vec::new() }
    }

    /// `None` when there are none.
    pub(crate) fn from_draws(draws: Vec<Draw<T>>) -> Option<Self> {
        let mut draws = draws.into_iter();
        Some(Self { first: Box::new(draws.next()?), others: draws.collect() })
    }

    /// The cell with a draw, by index; past the last, the first counts.
    pub fn with(&self, draw: usize) -> &T {
        self.iter().nth(draw).map_or(&self.first.cell, |d| &d.cell)
    }

    /// All draws in the order of the cell.
    pub fn iter(&self) -> impl Iterator<Item = &Draw<T>> {
        std::iter::once(&*self.first).chain(&self.others)
    }

    /// As [`Self::iter`], to change what they say.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Draw<T>> {
        std::iter::once(&mut *self.first).chain(&mut self.others)
    }

    /// How many there are; 1 where none are listed.
    pub fn count(&self) -> usize {
        1 + self.others.len()
    }

    /// The one after; after the last, the first. `None` when there is no other.
    pub fn after(&self, draw: usize) -> Option<usize> {
        (!self.others.is_empty()).then(|| (draw + 1) % self.count())
    }
}

/// Numbers of a draw, for people: `up = 0.5, turn = 1.0472`.
pub fn numbers_text(numbers: &[(String, f64)]) -> String {
    let each = numbers.iter().map(|(name, value)| {
        let value = (value * 1e4).round() / 1e4;
        format!("{name} = {value}")
    });
    each.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckCell, PredictCell, Setting};

    fn check(more: &str) -> Result<CellDraws<CheckCell>, String> {
        let body = format!(
            r#"
            ask = "Bring v0 to height {{2.25+up:0.00}}."
            label = "height"
            measure = "y(v0)"
            goal = "{{2.25+up}}"
            tolerance = 0.02
            solved = "It is {{-up:0.0}} lower, turned by {{turn:0°}}."
            place = [0, "{{2.25+up}}", 0]
            solution = {{ nod = "{{turn}}" }}
            solution-edits = {{ "inverse-bind.1" = "1,0,0,0,0,1,0,0,0,0,1,0,{{up}},-2,0,1" }}
            {more}"#
        );
        let table = DeTable::parse(&body).expect("TOML").into_inner();
        let read = CellDraws::read_body(&table);
        read.map_err(|error| error.into_diagnostic("a cell").to_string())
    }

    #[test]
    fn a_cell_reads_with_the_numbers_of_each_draw() {
        let cell =
            check(r#"draws = [{ up = 0.5, turn = "90deg" }, { up = 0.75, turn = "30deg" }]"#);
        let cell = cell.unwrap();
        assert_eq!((cell.count(), cell.after(0), cell.after(1)), (2, Some(1), Some(0)));
        let first = cell.with(0);
        assert_eq!(first.ask.source, "Bring v0 to height 2.75.");
        assert_eq!(first.solved.source, "It is −0.5 lower, turned by 90°.");
        assert_eq!(first.conditions[0].goal.source, "2.75");
        assert_eq!(first.place, Some([0.0, 2.75, 0.0]));
        assert_eq!(
            first.solution.0,
            [Setting::Param("nod".to_owned(), std::f64::consts::FRAC_PI_2)]
        );
        let second = cell.with(1);
        assert_eq!(second.ask.source, "Bring v0 to height 3.00.");
        assert_ne!(second.solution_edits, first.solution_edits);
        assert_eq!(cell.with(9), first, "past the last");
    }

    #[test]
    fn without_draws_braces_are_braces() {
        let body = r#"
            ask = "{up}"
            vertex = 0
            set = { nod = 1 }
            close = 0.5
            why = "}""#;
        let table = DeTable::parse(body).expect("TOML").into_inner();
        let cell = CellDraws::<PredictCell>::read_body(&table).ok().unwrap();
        assert_eq!((cell.with(0).ask.source.as_str(), cell.count()), ("{up}", 1));
        assert_eq!(cell.after(0), None);
    }

    #[test]
    fn draws_that_make_no_sense_say_why() {
        for (draws, expected) in [
            ("draws = 3", "invalid type"),
            ("draws = []", "2 to 24 draws"),
            ("draws = [{ up = 1, turn = 1 }]", "2 to 24 draws"),
            ("draws = [{ up = 1, turn = 1 }, { up = 2 }]", "other names"),
            ("draws = [{ up = 1, turn = 1 }, { up = 1, turn = 1 }]", "an earlier one"),
            ("draws = [{ up = 1, trn = 1 }, { up = 2, trn = 1 }]", "no parameter `turn`"),
            ("draws = [{ up = 'high', turn = 1 }]", "a number"),
            ("draws = [{ up = 1, pi = 1 }, { up = 2, pi = 1 }]", "`pi` cannot be"),
        ] {
            let wrong = check(draws).expect_err(draws);
            assert!(wrong.contains(expected), "{draws}: {wrong}");
        }
        for (text, expected) in [
            ("{up", "a } for every {"),
            ("{{up}}", "a } for every {"),
            ("{up:high}", "a number as the words"),
            ("{1/0}", "no finite value"),
            ("{y(v0)}", "no vertex 0"),
            ("{}", "expected"),
        ] {
            let numbers = vec![("up".to_owned(), 1.0)];
            let wrong = filled_text(text, &numbers).expect_err(text).to_string();
            assert!(wrong.contains(expected), "{text}: {wrong}");
        }
    }
}
