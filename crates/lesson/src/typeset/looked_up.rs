//! Formulas without an engine: those of a table that came with the lessons.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bindpose_shipped as shipped;
use ratex_types::display_item::DisplayList;

use super::entry::FormulaTable;
use super::{FormulaError, FormulaSetting, SymbolPlace, Unset};
use crate::WrittenSymbol;

/// As the engine laid it out before.
///
/// Errors: of a formula that is not in the table.
pub fn laid_out(tex: &str, setting: FormulaSetting) -> Result<DisplayList, Unset> {
    let find = |table: &FormulaTable| table.laid_out(tex, setting);
    let found = table().and_then(find);
    found.or_else(|| of_courses(find)).ok_or(Unset::Unknown)
}

/// What is wrong with a formula is said where it was laid out.
pub fn formula_error(_tex: &str) -> Option<FormulaError> {
    None
}

/// All symbols of a formula, in the order of its text; none where it is not in the
/// table.
pub fn written_in(tex: &str) -> Vec<WrittenSymbol> {
    let places = symbol_places(tex, FormulaSetting::Inline).into_iter();
    let mut written: Vec<WrittenSymbol> = places.map(|place| place.written).collect();
    written.sort_by_key(|written| written.at);
    written
}

/// Where in a formula its symbols stand.
pub fn symbol_places(tex: &str, setting: FormulaSetting) -> Vec<SymbolPlace> {
    let find = |table: &FormulaTable| {
        let known = table.has(tex);
        known.then(|| table.symbol_places(tex, setting))
    };
    let found = table().and_then(find);
    found.or_else(|| of_courses(find)).unwrap_or_default()
}

static OF_COURSES: Mutex<Vec<Arc<FormulaTable>>> = Mutex::new(Vec::new());

/// Formulas of a course, laid out when it was packed, in the format of a table.
pub(crate) fn add_formulas(text: &str) {
    let mut tables = OF_COURSES.lock().unwrap_or_else(PoisonError::into_inner);
    tables.push(Arc::new(FormulaTable::from_text(text)));
}

/// In the course that was opened last and has it.
fn of_courses<T>(find: impl Fn(&FormulaTable) -> Option<T>) -> Option<T> {
    let tables = OF_COURSES.lock().unwrap_or_else(PoisonError::into_inner);
    tables.iter().rev().find_map(|table| find(table))
}

/// That of the built-in lessons; `None` until it has come.
fn table() -> Option<&'static FormulaTable> {
    static TABLE: OnceLock<FormulaTable> = OnceLock::new();
    if let Some(table) = TABLE.get() {
        return Some(table);
    }
    let text = std::str::from_utf8(shipped::file(shipped::FORMULAS).bytes()?).ok()?;
    Some(TABLE.get_or_init(|| FormulaTable::from_text(text)))
}
