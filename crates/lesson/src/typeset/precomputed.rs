//! Formulas without the engine, from tables that were laid out in advance.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ratex_types::display_item::DisplayList;

use super::entry::FormulaTable;
use super::{FORMULAS_FILE, FormulaError, FormulaSetting, LayoutError, SymbolBox};
use crate::SymbolForm;

/// Returns the layout of a formula.
///
/// # Errors
/// If no table has it.
pub fn laid_out(tex: &str, setting: FormulaSetting) -> Result<DisplayList, LayoutError> {
    find_in_tables(|table| table.laid_out(tex, setting)).ok_or(LayoutError::Unknown)
}

/// Returns `None`: errors were reported when the tables were made.
pub fn formula_error(_tex: &str) -> Option<FormulaError> {
    None
}

/// Finds all symbols of a formula, in the order of its text. Empty if no table has it.
pub fn written_in(tex: &str) -> Vec<SymbolForm> {
    let mut written: Vec<SymbolForm> =
        symbol_places(tex, FormulaSetting::Inline).into_iter().map(|place| place.written).collect();
    written.sort_by_key(|written| written.at);
    written
}

/// Finds the positions of the symbols in a formula. Empty if no table has it.
pub fn symbol_places(tex: &str, setting: FormulaSetting) -> Vec<SymbolBox> {
    find_in_tables(|table| table.has(tex).then(|| table.symbol_places(tex, setting)))
        .unwrap_or_default()
}

static COURSE_TABLES: Mutex<Vec<Arc<FormulaTable>>> = Mutex::new(Vec::new());

/// Adds the formulas of a course, which were laid out when it was packed.
pub(crate) fn add_formulas(text: &str) {
    let mut tables = COURSE_TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    tables.push(Arc::new(FormulaTable::from_text(text)));
}

/// Searches the table of the built-in lessons, then those of courses, the last opened first.
fn find_in_tables<T>(find: impl Fn(&FormulaTable) -> Option<T>) -> Option<T> {
    if let Some(found) = built_in_table().and_then(&find) {
        return Some(found);
    }
    let tables = COURSE_TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    tables.iter().rev().find_map(|table| find(table))
}

/// The table of the built-in lessons, or `None` until it is downloaded.
fn built_in_table() -> Option<&'static FormulaTable> {
    static TABLE: OnceLock<FormulaTable> = OnceLock::new();
    if let Some(table) = TABLE.get() {
        return Some(table);
    }
    let text = std::str::from_utf8(bindpose_fetch::request(FORMULAS_FILE).loaded()?).ok()?;
    Some(TABLE.get_or_init(|| FormulaTable::from_text(text)))
}
