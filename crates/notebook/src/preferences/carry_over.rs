//! Changes of one table done to another, as two windows need that write into
//! one file.

use serde_json::{Map, Value};

/// How a field is brought together that two windows have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// As one value: the last to change it counts.
    Whole,
    /// As a table or a list whose entries come and go.
    Entries,
    /// The same, with texts that a person wrote: what the other window wrote into
    /// one stays in it.
    Texts,
}

/// Does to `theirs` what was done between `before` and `now`, each field in its
/// own way.
pub(super) fn carry_over(
    before: &Map<String, Value>,
    now: &Map<String, Value>,
    theirs: &mut Map<String, Value>,
    merge: impl Fn(&str) -> Merge,
) {
    for (key, value) in now {
        let was = before.get(key);
        if was != Some(value) {
            let merge = merge(key);
            let theirs_now = theirs.get(key).filter(|_| merge != Merge::Whole);
            let carried = carried(was, value, theirs_now, merge);
            theirs.insert(key.clone(), carried);
        }
    }
}

/// The same within a table whose entries come and go.
fn carry_entries(
    before: &Map<String, Value>,
    now: &Map<String, Value>,
    theirs: &mut Map<String, Value>,
    merge: Merge,
) {
    for (key, was) in before.iter().filter(|(key, _)| !now.contains_key(*key)) {
        if merge != Merge::Texts || theirs.get(key) == Some(was) {
            theirs.remove(key);
        }
    }
    for (key, value) in now {
        let was = before.get(key);
        if was != Some(value) {
            let carried = carried(was, value, theirs.get(key), merge);
            theirs.insert(key.clone(), carried);
        }
    }
}

/// `now` where it alone counts; of tables and lists, the entries.
fn carried(before: Option<&Value>, now: &Value, theirs: Option<&Value>, merge: Merge) -> Value {
    match (before, now, theirs) {
        (before, Value::Object(now), Some(Value::Object(theirs))) => {
            let mut table = theirs.clone();
            let nothing = Map::new();
            let before = before.and_then(Value::as_object).unwrap_or(&nothing);
            carry_entries(before, now, &mut table, merge);
            Value::Object(table)
        }
        (before, Value::Array(now), Some(Value::Array(theirs))) => {
            let before = before.and_then(Value::as_array);
            let before = before.map_or(&[][..], Vec::as_slice);
            let ours = now.iter();
            let ours = ours.filter(|entry| !before.contains(entry) || theirs.contains(entry));
            let added = theirs.iter();
            let added = added.filter(|entry| !before.contains(entry) && !now.contains(entry));
            ours.chain(added).cloned().collect()
        }
        (before, Value::String(now), Some(Value::String(theirs))) if merge == Merge::Texts => {
            let before = before.and_then(Value::as_str).unwrap_or_default();
            both_texts(before, now, theirs).into()
        }
        _ => now.clone(),
    }
}

/// A text that was `before`, and that one window made `now` and the other `theirs`:
/// where theirs holds what was before, that part of it is now ours; else both stand
/// there.
fn both_texts(before: &str, now: &str, theirs: &str) -> String {
    if theirs == before || theirs == now {
        return now.to_owned();
    }
    match theirs.rsplit_once(before).filter(|_| !before.is_empty()) {
        Some((above, below)) => format!("{above}{now}{below}"),
        None => format!("{}\n\n{now}", theirs.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn carried_over(before: &Value, now: &Value, theirs: &Value) -> Value {
        let table = |value: &Value| value.as_object().unwrap().clone();
        let mut theirs = table(theirs);
        carry_over(&table(before), &table(now), &mut theirs, |key| match key {
            "visited" | "recent" | "steps" => Merge::Entries,
            "notes" => Merge::Texts,
            _ => Merge::Whole,
        });
        theirs.into()
    }

    #[test]
    fn what_both_have_read_is_read() {
        let before = json!({ "visited": { "arm": ["one"] } });
        let now = json!({ "visited": { "arm": ["one", "two"], "leg": ["one"] } });
        let theirs = json!({ "visited": { "arm": ["one", "three"], "hip": ["one"] } });
        let both = json!({ "visited": {
            "arm": ["one", "two", "three"], "leg": ["one"], "hip": ["one"]
        } });
        assert_eq!(carried_over(&before, &now, &theirs), both);
    }

    #[test]
    fn what_was_not_changed_here_is_theirs_and_what_was_is_ours() {
        let before = json!({ "zoom": 1.0, "size": [1, 2], "page": { "link": "a", "step": 1 } });
        let now = json!({ "zoom": 1.0, "size": [1, 3], "page": { "link": "b", "step": 1 } });
        let theirs =
            json!({ "zoom": 2.0, "size": [7, 2], "page": { "link": "c", "step": 3 }, "new": [4] });
        let carried = carried_over(&before, &now, &theirs);
        let page = json!({ "link": "b", "step": 1 });
        let expected = json!({ "zoom": 2.0, "size": [1, 3], "page": page, "new": [4] });
        assert_eq!(carried, expected);
    }

    #[test]
    fn what_is_taken_away_here_or_there_is_gone() {
        let before = json!({ "recent": ["a", "b", "c"], "steps": { "x": 1, "y": 2 } });
        let now = json!({ "recent": ["d", "a", "c"], "steps": { "y": 2 } });
        let theirs = json!({ "recent": ["a", "b", "e"], "steps": { "x": 1, "y": 3 } });
        let carried = carried_over(&before, &now, &theirs);
        let expected = json!({ "recent": ["d", "a", "e"], "steps": { "y": 3 } });
        assert_eq!(carried, expected);
    }

    #[test]
    fn of_notes_nothing_is_lost_that_the_other_window_wrote() {
        let notes = |text: &str| json!({ "notes": { "arm": { "one": text } } });
        let both = |before: &str, now: &str, theirs: &str| {
            let carried = carried_over(&notes(before), &notes(now), &notes(theirs));
            carried["notes"]["arm"]["one"].as_str().unwrap().to_owned()
        };
        assert_eq!(both("a", "ab", "a"), "ab");
        assert_eq!(both("a", "ab", "a c"), "ab c", "each its own part");
        assert_eq!(both("a", "b", "c"), "c\n\nb", "both");
        let typed_on = both("b", "be", "c\n\nb");
        assert_eq!(typed_on, "c\n\nbe", "while one types on, once");
        let nothing = json!({ "notes": { "arm": {} } });
        let carried = carried_over(&nothing, &notes("b"), &notes("c"));
        assert_eq!(carried, notes("c\n\nb"));
        assert_eq!(carried_over(&notes("a"), &nothing, &notes("a")), nothing);
        let theirs = notes("a, and more");
        assert_eq!(carried_over(&notes("a"), &nothing, &theirs), theirs);
    }
}
