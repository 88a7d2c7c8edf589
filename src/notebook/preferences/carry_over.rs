//! Changes of one table done to another, as two windows need that write into
//! one file.

use serde_json::{Map, Value};

/// Does to `theirs` what was done between `before` and `now`. Fields that are
/// `of_entries` are tables and lists whose entries come and go; any other is one
/// value.
pub(super) fn carry_over(
    before: &Map<String, Value>,
    now: &Map<String, Value>,
    theirs: &mut Map<String, Value>,
    of_entries: impl Fn(&str) -> bool,
) {
    for (key, value) in now {
        let was = before.get(key);
        if was != Some(value) {
            let theirs_now = theirs.get(key).filter(|_| of_entries(key));
            let carried = carried(was, value, theirs_now);
            theirs.insert(key.clone(), carried);
        }
    }
}

/// The same within a table whose entries come and go.
fn carry_entries(
    before: &Map<String, Value>,
    now: &Map<String, Value>,
    theirs: &mut Map<String, Value>,
) {
    for key in before.keys().filter(|&key| !now.contains_key(key)) {
        theirs.remove(key);
    }
    for (key, value) in now {
        let was = before.get(key);
        if was != Some(value) {
            let carried = carried(was, value, theirs.get(key));
            theirs.insert(key.clone(), carried);
        }
    }
}

/// `now` where it alone counts; of tables and lists, the entries.
fn carried(before: Option<&Value>, now: &Value, theirs: Option<&Value>) -> Value {
    match (before, now, theirs) {
        (before, Value::Object(now), Some(Value::Object(theirs))) => {
            let mut table = theirs.clone();
            let nothing = Map::new();
            let before = before.and_then(Value::as_object).unwrap_or(&nothing);
            carry_entries(before, now, &mut table);
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
        _ => now.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn carried_over(before: &Value, now: &Value, theirs: &Value) -> Value {
        let table = |value: &Value| value.as_object().unwrap().clone();
        let mut theirs = table(theirs);
        carry_over(&table(before), &table(now), &mut theirs, |key| {
            ["visited", "recent", "steps"].contains(&key)
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
}
