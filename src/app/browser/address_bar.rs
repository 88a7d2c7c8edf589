//! The browser's address bar and its history of pages.

use wasm_bindgen::JsValue;
use web_sys::Window;

use crate::lesson::LessonSet;
use crate::notebook::link::WebAddress;

/// The address of the page, which always holds what is open.
pub(super) struct AddressBar {
    window: Window,
    /// The site is one file: the lesson is in the fragment.
    one_file: bool,
    /// What is open, as the address says it.
    shown: Option<WebAddress>,
    /// Path and fragment when they were last read or written here.
    known: (String, String),
}

impl AddressBar {
    /// The address as it is, and the link that it holds, if any.
    pub(super) fn read(set: &LessonSet) -> Option<(Self, Option<String>)> {
        let window = web_sys::window()?;
        let (path, fragment) = parts(&window);
        let folder = lesson_folder(&path, set);
        let bar = Self {
            window,
            one_file: folder.is_none(),
            shown: None,
            known: (path.clone(), fragment.clone()),
        };
        let link = WebAddress::link(folder.unwrap_or_default(), &fragment);
        Some((bar, link))
    }

    /// Puts the page that `link` leads to into the address. Another step is a new
    /// entry of the history, other values of the same step are not.
    pub(super) fn show(&mut self, link: &str, set: &LessonSet) {
        let Some(address) = WebAddress::of_link(link) else {
            return;
        };
        if self.shown.as_ref() == Some(&address) {
            return;
        }
        let url = self.url(&address, set);
        let new_step = self
            .shown
            .as_ref()
            .is_some_and(|shown| !shown.same_step(&address));
        let Ok(history) = self.window.history() else {
            return;
        };
        let (state, title) = (JsValue::NULL, "");
        // Refused where a browser allows no more of them for some seconds: the
        // next change brings the address up to date.
        let done = if new_step {
            history.push_state_with_url(&state, title, Some(&url))
        } else {
            history.replace_state_with_url(&state, title, Some(&url))
        };
        if done.is_ok() {
            self.shown = Some(address);
            self.known = parts(&self.window);
        }
    }

    /// The link to follow when the reader has gone back or forward, or has typed
    /// another fragment.
    pub(super) fn changed(&mut self, set: &LessonSet) -> Option<String> {
        let now = parts(&self.window);
        if now == self.known {
            return None;
        }
        let (path, fragment) = &now;
        let folder = lesson_folder(path, set).unwrap_or_default();
        let link = WebAddress::link(folder, fragment);
        self.known = now;
        let link = link?;
        self.shown = WebAddress::of_link(&link);
        Some(link)
    }

    /// Relative to the page.
    fn url(&self, address: &WebAddress, set: &LessonSet) -> String {
        if self.one_file {
            return format!("#{}", address.whole_fragment());
        }
        let found = |lesson: &&crate::lesson::Lesson| lesson.slug == address.lesson;
        let folder = set.lessons.iter().find(found);
        let folder = folder.map_or(&address.lesson, |lesson| &lesson.folder);
        format!("../{folder}/#{}", address.fragment)
    }
}

/// Path and fragment, without `#`.
fn parts(window: &Window) -> (String, String) {
    let location = window.location();
    let fragment = location.hash().unwrap_or_default();
    let fragment = fragment.strip_prefix('#').unwrap_or(&fragment).to_owned();
    (location.pathname().unwrap_or_default(), fragment)
}

/// The last folder of a path, if it is a lesson's.
fn lesson_folder<'p>(path: &'p str, set: &LessonSet) -> Option<&'p str> {
    let folder = path.rsplit('/').nth(1)?;
    set.lessons
        .iter()
        .any(|lesson| lesson.folder == folder)
        .then_some(folder)
}
