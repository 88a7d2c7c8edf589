//! Files of `web/page` with their places filled.

use serde_json::Value;

/// A template with `{name}` replaced for each name; other braces stay. What is
/// filled in is not looked through again.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let found = values.iter().find_map(|(name, value)| {
            let after = after.strip_prefix(name)?.strip_prefix('}')?;
            Some((value, after))
        });
        rest = if let Some((value, after)) = found {
            out.push_str(value);
            after
        } else {
            out.push('{');
            after
        };
    }
    out.push_str(rest);
    out
}

/// JSON that may stand in a script element.
pub(super) fn json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// The picture in a browser's tab.
pub(super) const ICON: &str = include_str!("../../../../assets/icon/bindpose.svg");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_other_braces_stay() {
        let filled = fill("{a}{ {b} {a {c}", &[("a", "{b}"), ("b", "2")]);
        assert_eq!(filled, "{b}{ 2 {a {c}");
    }

    #[test]
    fn json_ends_no_script() {
        let text = json(&Value::String("</script>".to_owned()));
        assert!(!text.contains('<'), "{text}");
    }
}
