//! The text of the open lesson, which the browser's own print command prints instead of the
//! canvas. It has no pictures, which take seconds, because the browser does not wait for them;
//! the handout that the notebook prints has them. It does not wait for the faces of formulas
//! either, so these are requested some seconds after a lesson opens.

use bindpose_lesson::LessonSet;
use bindpose_paper::handout::{HandoutPages, HandoutRequest, NoPictures, write};
use bindpose_rigs::builtin;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{DomParser, Element, SupportedType};

use super::web_document::document;
use crate::app::handout::look::handout_look;

/// Id of the element that holds the printed text.
const PRINTED_TEXT_ID: &str = "printed-text";

/// Prints nothing but the text, which is hidden on the screen.
const STYLE: &str = "@media screen { #printed-text { display: none } }
@media print { body > :not(#printed-text) { display: none !important } }";

/// Adds the text of a lesson to the web page when the browser is about to print.
pub(super) fn insert_printed_text(set: &LessonSet, slug: &str) {
    if try_insert_printed_text(set, slug).is_err() {
        log::warn!("the text of the lesson cannot be printed");
    }
}

/// Requests the font faces that the formulas of this lesson lack, and those for rare letters.
pub(super) fn request_faces(set: &LessonSet, slug: &str) {
    bindpose_kit::theme::request_supplementary_faces();
    // Laying out the lesson requests the faces that it lacks.
    let _ = lesson_html(set, slug);
}

fn lesson_html(set: &LessonSet, slug: &str) -> String {
    let lesson_index = set.lessons.iter().position(|lesson| lesson.slug == slug).unwrap_or(0);
    write(
        set,
        &HandoutPages::of_lesson(set, lesson_index),
        HandoutRequest::default(),
        &handout_look(),
        &builtin,
        None,
        &mut NoPictures,
    )
}

fn try_insert_printed_text(set: &LessonSet, slug: &str) -> Result<(), JsValue> {
    remove_printed_text();
    let document = document()?;
    let html = lesson_html(set, slug);
    let handout = DomParser::new()?.parse_from_string(&html, SupportedType::TextHtml)?;
    let text = document.create_element("div")?;
    text.set_id(PRINTED_TEXT_ID);
    let visibility = document.create_element("style")?;
    visibility.set_text_content(Some(STYLE));
    text.append_child(&visibility)?;
    let styles = handout.query_selector_all("style")?;
    for index in 0..styles.length() {
        if let Some(style) = styles.item(index) {
            let style: Element = style.dyn_into()?;
            style.set_attribute("media", "print")?;
            text.append_child(&style)?;
        }
    }
    let content = document.create_element("div")?;
    let body = handout.body().ok_or(JsValue::NULL)?;
    content.set_inner_html(&body.inner_html());
    text.append_child(&content)?;
    document.body().ok_or(JsValue::NULL)?.append_child(&text)?;
    Ok(())
}

pub(super) fn remove_printed_text() {
    let text = document().ok().and_then(|document| document.get_element_by_id(PRINTED_TEXT_ID));
    if let Some(text) = text {
        text.remove();
    }
}
