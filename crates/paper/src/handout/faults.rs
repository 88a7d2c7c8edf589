//! Known faults on paper: what each looks like and what tells it.

use std::fmt::Write as _;

use bindpose_lesson::FaultsCell;
use bindpose_notebook::faults::offered;

use super::html::escaped;

/// A definition for each fault that a cell offers; where one is hidden, these are the
/// candidates.
pub(super) fn faults(out: &mut String, cell: &FaultsCell) {
    out.push_str("<dl>\n");
    for fault in offered(cell) {
        let [title, looks, tell, seen] =
            [fault.title, fault.looks, fault.tell, fault.seen].map(escaped);
        let _ = writeln!(
            out,
            "<dt>{title}</dt><dd>{looks} <strong>What tells it:</strong> {tell} \
             <em>Seen:</em> {seen}</dd>"
        );
    }
    out.push_str("</dl>\n");
}
