//! What comes out of the browser’s own “Print”: the text of the open lesson, in the
//! place of a canvas. Pictures take seconds, for which a browser does not wait; the
//! handout that the notebook prints itself has them. Nor does it wait for the faces
//! of formulas: they are asked for some seconds after a lesson was opened.

use bindpose_asset::builtin;
use bindpose_lesson::LessonSet;
use bindpose_paper::handout::{HandoutPages, HandoutRequest, NoPictures, write};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{DomParser, Element, SupportedType};

use crate::app::handout::look::look;
use crate::app::web_document::document;

/// Nothing else of the page is printed, and nothing of this is on the screen.
const STYLE: &str = "@media screen { #printed-text { display: none } }
@media print { body > :not(#printed-text) { display: none !important } }";

/// Puts the text of the lesson with this slug there, when the browser is about to
/// print.
pub(super) fn begin(set: &LessonSet, slug: &str) {
    if put(set, slug).is_err() {
        log::warn!("the text of the lesson cannot be printed");
    }
}

/// Asks for the faces that the formulas of this lesson lack, and for rare letters.
pub(super) fn ask_for_faces(set: &LessonSet, slug: &str) {
    bindpose_page::theme::ask_for_supplements();
    let _ = html(set, slug);
}

/// The lesson as a page to print.
fn html(set: &LessonSet, slug: &str) -> String {
    let mut lessons = set.lessons.iter();
    let lesson = lessons.position(|lesson| lesson.slug == slug).unwrap_or(0);
    write(
        set,
        &HandoutPages::of_lesson(set, lesson),
        HandoutRequest::default(),
        &look(),
        &builtin,
        None,
        &mut NoPictures,
    )
}

fn put(set: &LessonSet, slug: &str) -> Result<(), JsValue> {
    end();
    let document = document()?;
    let html = html(set, slug);
    let handout = DomParser::new()?.parse_from_string(&html, SupportedType::TextHtml)?;
    let text = document.create_element("div")?;
    text.set_id("printed-text");
    let always = document.create_element("style")?;
    always.set_text_content(Some(STYLE));
    text.append_child(&always)?;
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

/// Takes it away again.
pub(super) fn end() {
    let text = document().ok().and_then(|document| document.get_element_by_id("printed-text"));
    if let Some(text) = text {
        text.remove();
    }
}
