//! Lays out formulas for a table.

use super::entry::TypesetEntry;
use super::{FormulaSetting, FormulaTable, laid_out, symbol_places};

impl FormulaTable {
    /// Lays out formulas in both settings. Skips those that cannot be laid out.
    pub(crate) fn of_formulas(formulas: impl IntoIterator<Item = String>) -> Self {
        let mut table = Self::default();
        for tex in formulas {
            if let Some(display) = entry(&tex, FormulaSetting::Display)
                && let Some(inline) = entry(&tex, FormulaSetting::Inline)
            {
                table.add(&tex, &display, &inline);
            }
        }
        table
    }
}

fn entry(tex: &str, setting: FormulaSetting) -> Option<TypesetEntry> {
    let list = laid_out(tex, setting).ok()?;
    Some(TypesetEntry::new(&list, symbol_places(tex, setting)))
}
