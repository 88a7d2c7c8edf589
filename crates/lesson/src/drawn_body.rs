//! Cells with draws: exercises that can be repeated with other numbers. The body is read once
//! with each draw. In its texts, `{up}` is replaced by a drawn number, `{2.25+up}` by the value
//! of a formula, and `{2.25+up:0.00}` by the same with fixed decimals.

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

/// Key of the list of draws.
pub(super) const DRAWS: &str = "draws";
/// Minimum number of draws, because a single one does not differ from another.
pub(super) const MIN_DRAWS: usize = 2;
/// Maximum number of draws; nobody would repeat an exercise more often.
pub(super) const MAX_DRAWS: usize = 24;
const HELP: &str = "write draws = [{ up = 0.5 }, { up = 0.75 }], and {up} in the texts";

/// Reads the body of a cell.
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
        let DrawList { draws } = read(table)?;
        let draws = check_draws(draws)
            .map_err(|error| ValueError::from(error).within(start))?
            .into_iter()
            .map(|numbers| {
                let cell = read(&fill_table(table, &numbers)?)?;
                Ok(DrawnCell { numbers, cell })
            })
            .collect::<Result<_, ValueError>>()?;
        Self::from_draws(draws).ok_or_else(|| wrong_draw_count(0).into())
    }
}

/// The draws of a cell. Its other keys are read separately for each draw.
#[derive(Deserialize)]
struct DrawList {
    draws: Vec<BTreeMap<String, Quantity>>,
}

type Numbers = Vec<(String, f64)>;

/// Checks that there are several draws with the same names, no two of them equal.
fn check_draws(draws: Vec<BTreeMap<String, Quantity>>) -> Result<Vec<Numbers>, Diagnostic> {
    if !(MIN_DRAWS..=MAX_DRAWS).contains(&draws.len()) {
        return Err(wrong_draw_count(draws.len()));
    }
    let draws: Vec<Numbers> = draws
        .into_iter()
        .map(|draw| draw.into_iter().map(|(name, Quantity(value))| (name, value)).collect())
        .collect();
    let first = number_names(&draws[0]);
    if let Some(taken) = first.iter().find(|name| is_reserved(name)) {
        let title = format!("`{taken}` cannot be the name of a drawn number");
        return Err(Diagnostic::said("NAME_TAKEN", title).help("choose another name"));
    }
    for (index, draw) in draws.iter().enumerate() {
        if number_names(draw) != first {
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

fn number_names(draw: &[(String, f64)]) -> Vec<&str> {
    draw.iter().map(|(name, _)| name.as_str()).collect()
}

fn wrong_draw_count(found: usize) -> Diagnostic {
    Diagnostic::expected(format!("a list of {MIN_DRAWS} to {MAX_DRAWS} draws"), found.to_string())
        .help(HELP)
}

/// Returns the body with numbers in place of the braces.
fn fill_table<'t>(table: &DeTable<'t>, numbers: &Numbers) -> Result<DeTable<'t>, ValueError> {
    let mut table = table.clone();
    table.remove(DRAWS);
    for (_, value) in &mut table {
        fill_value(value, numbers)?;
    }
    Ok(table)
}

fn fill_value(value: &mut Spanned<DeValue<'_>>, numbers: &Numbers) -> Result<(), ValueError> {
    let start = value.span().start;
    match value.get_mut() {
        DeValue::String(text) if text.contains(['{', '}']) => {
            let filled = fill_text(text, numbers);
            *text = Cow::Owned(filled.map_err(|error| ValueError::from(error).within(start))?);
        }
        DeValue::Array(items) => items.iter_mut().try_for_each(|item| fill_value(item, numbers))?,
        DeValue::Table(table) => {
            for (_, value) in &mut *table {
                fill_value(value, numbers)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn fill_text(text: &str, numbers: &Numbers) -> Result<String, Diagnostic> {
    let mut filled = String::new();
    for piece in split_pieces(text) {
        match piece? {
            (_, BracedPiece::Words(words)) => filled.push_str(words),
            (_, BracedPiece::Number(inner)) => filled.push_str(&format_braces(inner, numbers)?),
        }
    }
    Ok(filled)
}

/// Maps each byte of a filled text, and its end, to the byte of the original text that it comes
/// from.
pub(crate) fn filled_places(text: &str, numbers: &[(String, f64)], filled: &str) -> Vec<usize> {
    if numbers.is_empty() {
        return (0..=text.len()).collect();
    }
    let mut places = Vec::with_capacity(filled.len() + 1);
    for (start, piece) in split_pieces(text).filter_map(Result::ok) {
        match piece {
            BracedPiece::Words(words) => places.extend(start..start + words.len()),
            BracedPiece::Number(inner) => {
                let printed = format_braces(inner, numbers).unwrap_or_default();
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
    /// Content of a pair of braces.
    Number(&'t str),
}

/// Splits a text at its braces. Each piece has its byte offset.
fn split_pieces(text: &str) -> impl Iterator<Item = Result<(usize, BracedPiece<'_>), Diagnostic>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = text.len() - rest.len();
        if rest.is_empty() {
            return None;
        }
        let brace = rest
            .match_indices('{')
            .map(|(at, _)| at)
            .find(|&at| !is_tex(text, start + at))
            .unwrap_or(rest.len());
        if brace > 0 {
            let (words, after) = rest.split_at(brace);
            rest = after;
            return Some(Ok((start, BracedPiece::Words(words))));
        }
        let inside = &rest[1..];
        let closed = inside.split_once('}').filter(|(inner, _)| !inner.contains('{'));
        let Some((inner, after)) = closed else {
            rest = "";
            let error = Diagnostic::expected("a } for every {", format!("`{text}`"));
            return Some(Err(error.help(HELP)));
        };
        rest = after;
        Some(Ok((start, BracedPiece::Number(inner))))
    })
}

/// Whether the brace at a byte offset belongs to LaTeX: it is within `$…$`, after a command, `^`,
/// `_` or another group.
fn is_tex(text: &str, brace: usize) -> bool {
    let before = text.get(..brace).unwrap_or_default();
    before.matches('$').count() % 2 == 1
        && before.ends_with(|c: char| matches!(c, '^' | '_' | '}') || c.is_ascii_alphabetic())
}

/// Evaluates and formats the content of a pair of braces: a formula, optionally with a colon and
/// an example of the number format.
fn format_braces(inner: &str, numbers: &[(String, f64)]) -> Result<String, Diagnostic> {
    let (formula, format) = match inner.split_once(':') {
        Some((formula, format)) => (formula, Some(format)),
        None => (inner, None),
    };
    let value = Expr::parse(formula)
        .map_err(|error| error.at(Place::default()))?
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

/// The values of formulas in braces: only the drawn numbers, and nothing of the page.
struct DrawnNumbers<'a>(&'a [(String, f64)]);

impl Values for DrawnNumbers<'_> {
    fn param(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(other, _)| other == name).map(|&(_, value)| value)
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

/// A cell with its draws. A cell without draws has one draw without numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct CellDraws<T> {
    /// Boxed, because questions are large.
    first: Box<DrawnCell<T>>,
    others: Vec<DrawnCell<T>>,
}

/// A cell read with one set of drawn numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnCell<T> {
    /// Drawn numbers by name; radians for angles.
    pub numbers: Vec<(String, f64)>,
    pub cell: T,
}

impl<T> CellDraws<T> {
    /// A cell without draws.
    pub fn alone(cell: T) -> Self {
        let first = DrawnCell { numbers: Vec::new(), cell };
        Self { first: Box::new(first), others: Vec::new() }
    }

    /// Returns `None` if there are no draws.
    pub(crate) fn from_draws(draws: Vec<DrawnCell<T>>) -> Option<Self> {
        let mut draws = draws.into_iter();
        Some(Self { first: Box::new(draws.next()?), others: draws.collect() })
    }

    /// Returns the cell with a draw, by index. Past the last, that with the first draw.
    pub fn with(&self, draw: usize) -> &T {
        self.iter().nth(draw).map_or(&self.first.cell, |d| &d.cell)
    }

    pub fn iter(&self) -> impl Iterator<Item = &DrawnCell<T>> {
        std::iter::once(&*self.first).chain(&self.others)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut DrawnCell<T>> {
        std::iter::once(&mut *self.first).chain(&mut self.others)
    }

    /// Number of draws; 1 for a cell without draws.
    pub fn count(&self) -> usize {
        1 + self.others.len()
    }

    /// Index of the next draw, cyclically. Returns `None` if there is only one.
    pub fn after(&self, draw: usize) -> Option<usize> {
        (!self.others.is_empty()).then(|| (draw + 1) % self.count())
    }
}

/// Formats drawn numbers for readers: `up = 0.5, turn = 1.0472`.
pub fn numbers_text(numbers: &[(String, f64)]) -> String {
    let each: Vec<String> = numbers
        .iter()
        .map(|(name, value)| {
            let value = (value * 1e4).round() / 1e4;
            format!("{name} = {value}")
        })
        .collect();
    each.join(", ")
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
    fn reads_a_cell_with_each_draw() {
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
    fn braces_are_plain_text_without_draws() {
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
    fn reports_invalid_draws() {
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
            let error = check(draws).expect_err(draws);
            assert!(error.contains(expected), "{draws}: {error}");
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
            let error = fill_text(text, &numbers).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
