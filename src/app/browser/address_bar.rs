//! The browser's address bar and its history of pages.

use std::cell::Cell;
use std::rc::Rc;

use bindpose_lesson::LessonSet;
use bindpose_notebook::Notebook;
use bindpose_notebook::link::{NotebookSite, WebAddress};
use eframe::egui::Context;
use wasm_bindgen::JsValue;
use web_sys::Window;

use crate::app::listener::Listener;

/// The address of the page, which always holds what is open.
pub(super) struct AddressBar {
    window: Window,
    site: NotebookSite,
    /// What is open, as the address says it; absent where it may say it otherwise.
    shown: Option<WebAddress>,
    /// Path and fragment when they were last read or written here.
    known: (String, String),
    /// The browser has gone to another entry of its history, or somebody has typed.
    moved: Rc<Cell<bool>>,
    _listeners: [Listener; 2],
}

impl AddressBar {
    /// The link that the address holds, if any.
    pub(super) fn link(set: &LessonSet) -> Option<String> {
        let (path, fragment) = parts(&web_sys::window()?);
        WebAddress::link(lesson_folder(&path, set).unwrap_or_default(), &fragment)
    }

    /// The address as it is.
    pub(super) fn read(site: NotebookSite, ctx: &Context) -> Option<Self> {
        let window = web_sys::window()?;
        let known = parts(&window);
        let moved = Rc::new(Cell::new(false));
        let listeners = ["popstate", "hashchange"].map(|event| {
            let (moved, ctx) = (Rc::clone(&moved), ctx.clone());
            Listener::new(&window, event, move |_| {
                moved.set(true);
                ctx.request_repaint();
            })
        });
        Some(Self { window, site, shown: None, known, moved, _listeners: listeners })
    }

    /// Does anything stand after a `#`?
    pub(super) fn has_fragment() -> bool {
        web_sys::window().is_some_and(|window| !parts(&window).1.is_empty())
    }

    /// What stands between `?` and `#`.
    pub(super) fn query() -> String {
        let search = web_sys::window().map(|window| window.location().search());
        search.and_then(Result::ok).unwrap_or_default()
    }

    /// All before that.
    pub(super) fn page() -> String {
        let page = web_sys::window().map(|window| window.location().href());
        let page = page.and_then(Result::ok).unwrap_or_default();
        let end = page.find(['?', '#']).unwrap_or(page.len());
        page[..end].to_owned()
    }

    /// Puts the open page into the address. Another step is a new entry of the
    /// history, other values of the same step are not. False when the browser
    /// refuses: some allow no more than a hundred of them in half a minute.
    pub(super) fn show(&mut self, notebook: &Notebook) -> bool {
        let link = notebook.link();
        let Some(address) = WebAddress::of_link(&link) else {
            return true;
        };
        if self.shown.as_ref() == Some(&address) {
            return true;
        }
        let url = self.site.page(&link, &notebook.set);
        let new_step = self.shown.as_ref().is_some_and(|shown| !shown.same_step(&address));
        let Ok(history) = self.window.history() else {
            return true;
        };
        let (state, title) = (JsValue::NULL, "");
        let done = if new_step {
            history.push_state_with_url(&state, title, url.as_deref())
        } else {
            history.replace_state_with_url(&state, title, url.as_deref())
        };
        if done.is_ok() {
            self.shown = Some(address);
            self.known = parts(&self.window);
            self.name_page(notebook);
        }
        done.is_ok()
    }

    /// In the tab, in bookmarks and in the history.
    fn name_page(&self, notebook: &Notebook) {
        if let Some(document) = self.window.document() {
            let step = notebook.step().map_or("", |step| &step.title);
            document.set_title(&format!("{step} · {} · Bindpose", notebook.lesson().title));
        }
    }

    /// The link to follow when the reader has gone back or forward, or has typed
    /// another fragment.
    pub(super) fn changed(&mut self, set: &LessonSet) -> Option<String> {
        if !self.moved.take() {
            return None;
        }
        let now = parts(&self.window);
        if now == self.known {
            return None;
        }
        let (path, fragment) = &now;
        let link = WebAddress::link(lesson_folder(path, set).unwrap_or_default(), fragment);
        self.known = now;
        // What is typed may name lesson and step by numbers: the entry that was gone
        // to is made to say it as links do, and no other is put behind it.
        self.shown = None;
        link
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
    set.lessons.iter().any(|lesson| lesson.folder == folder).then_some(folder)
}
