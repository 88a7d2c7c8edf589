//! Filling in the templates of `web/page`.

use serde_json::Value;

/// Replaces each `{name}` in a template by its value. Other braces stay, and values are not
/// searched for names.
pub(super) fn fill_template(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after_brace)) = rest.split_once('{') {
        out.push_str(before);
        let replacement = values.iter().find_map(|(name, value)| {
            let after = after_brace.strip_prefix(name)?.strip_prefix('}')?;
            Some((value, after))
        });
        if let Some((value, after)) = replacement {
            out.push_str(value);
            rest = after;
        } else {
            out.push('{');
            rest = after_brace;
        }
    }
    out.push_str(rest);
    out
}

/// Returns JSON that is safe inside a script element, which `</script>` in a string would end.
pub(super) fn script_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_and_other_braces_stay() {
        let filled = fill_template("{a}{ {b} {a {c}", &[("a", "{b}"), ("b", "2")]);
        assert_eq!(filled, "{b}{ 2 {a {c}");
    }

    #[test]
    fn json_cannot_end_a_script() {
        let text = script_json(&Value::String("</script>".to_owned()));
        assert!(!text.contains('<'), "{text}");
    }
}
