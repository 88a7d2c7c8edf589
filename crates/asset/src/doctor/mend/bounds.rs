//! Declared bounds, computed from the data. Last, when the data is final.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::draft::{Draft, accessor, attribute};
use crate::doctor::doc::Doc;
use crate::doctor::elements::{Component, stored_elements};

pub(super) fn mend(draft: &mut Draft) {
    let needed = needed(&draft.doc);
    for index in 0..draft.doc.list("accessors").len() {
        let accessor = draft.doc.one("accessors", index);
        let has = |name: &str| accessor.is_some_and(|one| one.get(name).is_some());
        if !needed.contains(&index) && !has("min") && !has("max") {
            continue;
        }
        let Some((min, max)) = bounds(&draft.doc, index) else {
            continue;
        };
        if let Some(accessor) = draft.one_mut("accessors", index) {
            accessor.insert("min".to_owned(), min);
            accessor.insert("max".to_owned(), max);
        }
    }
}

/// Accessors that must have bounds: positions and times.
fn needed(doc: &Doc<'_>) -> BTreeSet<usize> {
    let positions = attribute(doc, "POSITION");
    let times = doc.samplers().filter_map(|one| accessor(doc, one, "input"));
    positions.chain(times).collect()
}

/// Smallest and largest of each number, as stored; `None` where they are not
/// finite or not there.
fn bounds(doc: &Doc<'_>, index: usize) -> Option<(Value, Value)> {
    let elements = stored_elements(doc, index)?;
    let width = elements.format.kind.components;
    let mut least = vec![f64::INFINITY; width];
    let mut most = vec![f64::NEG_INFINITY; width];
    for element in 0..elements.count {
        for lane in 0..width {
            let number = elements.stored(element, lane);
            if !number.is_finite() {
                return None;
            }
            least[lane] = least[lane].min(number);
            most[lane] = most[lane].max(number);
        }
    }
    let float = elements.format.component == Component::F32;
    let written = |numbers: Vec<f64>| {
        let number = |x: f64| if float { json!(x) } else { json!(x as i64) };
        Value::Array(numbers.into_iter().map(number).collect())
    };
    (elements.count > 0).then(|| (written(least), written(most)))
}
