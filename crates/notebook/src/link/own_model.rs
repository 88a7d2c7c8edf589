//! Links to lessons that use the reader's own model. A link names the file but
//! does not contain it.

use super::encode;

const MODEL_KEY: &str = "model";

/// Inserts the name of the open model into a link, before all other values.
pub fn name_model(link: &str, model: &str) -> String {
    let (page, values) = link.split_once('?').unwrap_or((link, ""));
    let and = if values.is_empty() { "" } else { "&" };
    format!("{page}?{MODEL_KEY}={}{and}{values}", encode(model))
}

/// Removes and returns the model's name among the values of a link. Returns
/// `None` if there is none.
pub(crate) fn take_model(values: &mut Vec<(String, String)>) -> Option<String> {
    let named = values.first().is_some_and(|(name, _)| name == MODEL_KEY);
    named.then(|| values.remove(0).1)
}

/// Returns the name of the model that a link was made on. Returns `None` if it
/// names none.
pub fn named_model(link: &str) -> Option<String> {
    take_model(&mut super::address(link).ok()?.values)
}

/// Removes the model's name from the values of a link and compares it with the
/// open model. If they differ, values for joints and vertices are meaningless,
/// so all values are removed and a message for the reader is returned. Returns
/// `None` if they match.
pub(crate) fn fit_to(values: &mut Vec<(String, String)>, open: Option<&str>) -> Option<String> {
    let made_on = take_model(values);
    if made_on.as_deref() == open || (made_on.is_none() && values.is_empty()) {
        return None;
    }
    values.clear();
    Some(match (made_on, open) {
        (Some(made_on), None) => format!(
            "This page was made on “{made_on}”. A link does not carry the file: open it, and follow the link again."
        ),
        (Some(made_on), Some(open)) => format!(
            "This page was made on “{made_on}”, but “{open}” is open now. Open that file, and follow the link again."
        ),
        (None, open) => format!(
            "This page was made without a model of one’s own; its values do not fit “{}”.",
            open.unwrap_or_default()
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::super::address;
    use super::*;

    #[test]
    fn link_names_its_model_and_mismatch_is_reported() {
        let page = "bindpose://your-model/pose-it";
        let link = name_model(&format!("{page}?joint=2"), "my fox & co.glb");
        assert_eq!(link, format!("{page}?model=my%20fox%20%26%20co.glb&joint=2"));
        assert_eq!(name_model(page, "a.glb"), format!("{page}?model=a.glb"));

        let fit = |link: &str, open: Option<&str>| {
            let mut values = address(link).unwrap().values;
            let said = fit_to(&mut values, open);
            (values.len(), said)
        };
        assert_eq!(fit(&link, Some("my fox & co.glb")), (1, None));
        let (left, said) = fit(&link, None);
        assert_eq!(left, 0, "values of a model that is not there");
        assert!(said.unwrap().contains("does not carry the file"));
        let (left, said) = fit(&link, Some("cat.glb"));
        assert_eq!(left, 0);
        assert!(said.unwrap().contains("“cat.glb” is open now"));

        assert_eq!(fit(page, Some("cat.glb")), (0, None), "any model will do");
        assert_eq!(fit(&format!("{page}?joint=2"), None), (1, None));
        let (left, said) = fit(&format!("{page}?joint=2"), Some("cat.glb"));
        assert_eq!((left, said.is_some()), (0, true));
    }
}
