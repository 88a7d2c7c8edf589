//! The teacher's window as a page of its own, kept in step by messages between the
//! two pages: they work on a second screen, and from a file, where pages of one site
//! have no common channel.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bindpose_lesson::LessonSet;
use bindpose_notebook::link::{NotebookSite, WebAddress};
use bindpose_notebook::{NOTEBOOK_TITLE, Notebook};
use eframe::egui::Context;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{MessageEvent, Window};

use crate::app::shell::Shell;
use crate::app::teachers_message::TeachersMessage;
use crate::app::web_document::Listener;

/// What browsers call the window, and how large it is at first.
const NAME: &str = "bindpose-teacher";
const FEATURES: &str = "popup,width=560,height=640";
/// Between two questions of a window whose notebook is gone, in seconds.
const ASK_SECS: f32 = 2.0;

const BLOCKED: &str = "The browser has held back the teacher’s window. Allow windows of this page, \
    by the sign in the address bar or in the browser’s settings, and open it again.";
const ALONE: &str =
    "This is the teacher’s window of a notebook: open it there, by “Teacher’s notes”.";
const PARTED: &str = "The notebook is closed. This window follows it again when it is opened in the \
    same place.";

/// What has come, and from whom.
type Came = (TeachersMessage, Option<Window>);

/// The other page, if there is one.
pub(super) struct TeachersPopup {
    role: Role,
    other: Option<Window>,
    /// Since the last frame.
    came: Rc<RefCell<Vec<Came>>>,
    /// What the other page knows.
    told: Option<(String, bool)>,
    /// Was it to be open in the last frame?
    was_open: bool,
    _listener: Option<Listener>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Notebook,
    Window,
    Neither,
}

impl TeachersPopup {
    /// In the notebook's page.
    pub(super) fn of_notebook(ctx: &Context) -> Self {
        Self::new(Role::Notebook, None, ctx)
    }

    /// In the window's own.
    pub(super) fn in_window(ctx: &Context, shell: &mut Shell) -> Self {
        let opener = web_sys::window().and_then(|window| window.opener().ok());
        let opener = opener.and_then(other_window);
        if opener.is_none() {
            shell.warn(ALONE);
        }
        let popup = Self::new(Role::Window, opener, ctx);
        popup.post(&TeachersMessage::Hello);
        popup
    }

    /// Where there is no teacher.
    pub(super) fn none() -> Self {
        Self {
            role: Role::Neither,
            other: None,
            came: Rc::default(),
            told: None,
            was_open: false,
            _listener: None,
        }
    }

    fn new(role: Role, other: Option<Window>, ctx: &Context) -> Self {
        let came = Rc::<RefCell<Vec<_>>>::default();
        let (inbox, ctx) = (Rc::clone(&came), ctx.clone());
        let listener = web_sys::window().map(|window| {
            Listener::new(&window, "message", move |event| {
                let Some(event) = event.dyn_ref::<MessageEvent>() else {
                    return;
                };
                let text = event.data().as_string().unwrap_or_default();
                if let Some(message) = TeachersMessage::read(&text) {
                    let from = event.source().map(JsValue::from);
                    let from = from.and_then(other_window);
                    inbox.borrow_mut().push((message, from));
                    ctx.request_repaint();
                }
            })
        });
        Self { role, other, came, _listener: listener, ..Self::none() }
    }

    /// Before a frame: does what the other page has asked or told.
    pub(super) fn update(&mut self, shell: &mut Shell, ctx: &Context) {
        let came = std::mem::take(&mut *self.came.borrow_mut());
        for (message, from) in came {
            match self.role {
                Role::Notebook if !self.is_ours(from.as_ref(), &message) => {}
                Role::Notebook => {
                    if message == TeachersMessage::Hello {
                        self.other = from;
                        self.was_open = true;
                    }
                    self.told = None;
                    shell.take_request(ctx, message);
                }
                Role::Window if message == TeachersMessage::Bye => {
                    self.told = None;
                    shell.warn(PARTED);
                }
                Role::Window if from == self.other => {
                    self.told = Some(Default::default());
                    shell.take_state(ctx, &message);
                }
                _ => {}
            }
        }
        if self.role == Role::Window && self.told.is_none() && self.other.is_some() {
            self.post(&TeachersMessage::Hello);
            ctx.request_repaint_after_secs(ASK_SECS);
        }
    }

    /// A page elsewhere may hold this one and send what it likes: only the window
    /// that was opened here is listened to, or one of this site that says hello.
    fn is_ours(&self, from: Option<&Window>, message: &TeachersMessage) -> bool {
        let same_site = || {
            let here = web_sys::window()?.location().origin().ok()?;
            // What belongs to another site does not show where it is.
            let there = from?.location().origin().ok()?;
            (here == there).then_some(())
        };
        match message {
            TeachersMessage::Hello => from == self.other.as_ref() || same_site().is_some(),
            _ => from.is_some() && from == self.other.as_ref(),
        }
    }

    /// After it: tells the other page what it does not know, and opens or closes the
    /// window.
    pub(super) fn tell(&mut self, shell: &mut Shell, ctx: &Context) {
        match self.role {
            Role::Neither => {}
            Role::Window => {
                for asked in shell.take_asked_of_notebook() {
                    self.post(&asked);
                }
            }
            Role::Notebook => {
                self.open_or_close(shell);
                let now_secs = ctx.input(|input| input.time);
                let state = shell.teachers_state(now_secs);
                if let (TeachersMessage::State { link, teaching, .. }, Some(_)) =
                    (&state, &self.other)
                {
                    let known = (link.clone(), *teaching);
                    if self.told.as_ref() != Some(&known) {
                        self.post(&state);
                        self.told = Some(known);
                    }
                }
            }
        }
    }

    fn open_or_close(&mut self, shell: &mut Shell) {
        let open = shell.has_teachers_window();
        if open && !self.was_open {
            self.told = None;
            self.other = opened();
            if self.other.is_none() {
                shell.set_teachers_window(false);
                shell.warn(BLOCKED);
            }
        } else if !open && let Some(window) = self.other.take() {
            let _ = window.close();
        }
        self.was_open = shell.has_teachers_window();
    }

    /// This page goes away.
    pub(super) fn end(&self) {
        self.post(&TeachersMessage::Bye);
    }

    fn post(&self, message: &TeachersMessage) {
        if let Some(other) = &self.other {
            // From a file, pages have no site that could be named. What is sent is the
            // address of a page of the notebook.
            let _ = other.post_message(&JsValue::from_str(&message.text()), "*");
        }
    }
}

/// The window that a browser hands over: no `Window` of this page's, so that it cannot
/// be asked whether it is one.
fn other_window(value: JsValue) -> Option<Window> {
    value.is_object().then(|| value.unchecked_into())
}

/// `None`: the browser does not allow it.
fn opened() -> Option<Window> {
    let window = web_sys::window()?;
    let hash = window.location().hash().unwrap_or_default();
    let url = format!("{}?window=teacher{hash}", AddressBar::page());
    let opened = window.open_with_url_and_target_and_features(&url, NAME, FEATURES);
    opened.ok().flatten()
}

// The browser's address bar and its history of pages.

/// The address of the page, which always holds what is open.
pub(super) struct AddressBar {
    window: Window,
    site: NotebookSite,
    /// What the address leads to; absent where it may say it otherwise.
    shown: Option<Place>,
    /// Path and fragment when they were last read or written here.
    known: (String, String),
    /// The browser has gone to another entry of its history, or somebody has typed.
    moved: Rc<Cell<bool>>,
    _listeners: [Listener; 2],
}

/// What an address leads to.
#[derive(PartialEq, Eq)]
enum Place {
    Cover,
    Page(WebAddress),
}

/// Where the reader has gone by the browser's own buttons, or by typing.
pub(super) enum Gone {
    ToCover,
    /// A link.
    To(String),
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

    /// Is it that of the site's first page, whatever stands after a `#` there?
    pub(super) fn is_cover(site: &NotebookSite, set: &LessonSet) -> bool {
        Self::link(set).is_none() && site.is_cover(&Self::page())
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

    /// Puts the open page into the address, or the cover. Another step is a new entry of
    /// the history, other values of the same step are not. False when the browser
    /// refuses: some allow no more than a hundred of them in half a minute.
    pub(super) fn show(&mut self, notebook: &Notebook, on_cover: bool) -> bool {
        let link = notebook.link();
        let page = || WebAddress::of_link(&link).map(Place::Page);
        let Some(place) = (if on_cover { Some(Place::Cover) } else { page() }) else {
            return true;
        };
        if self.shown.as_ref() == Some(&place) {
            return true;
        }
        let new_step = match (&self.shown, &place) {
            (None, _) => false,
            (Some(Place::Page(shown)), Place::Page(address)) => !shown.same_step(address),
            _ => true,
        };
        let url = match place {
            Place::Cover => Some(self.site.cover()),
            Place::Page(_) => self.site.page(&link, &notebook.set),
        };
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
            self.name_page(notebook, on_cover);
            self.shown = Some(place);
            self.known = parts(&self.window);
        }
        done.is_ok()
    }

    /// In the tab, in bookmarks and in the history.
    fn name_page(&self, notebook: &Notebook, on_cover: bool) {
        if let Some(document) = self.window.document() {
            let step = notebook.step().map_or("", |step| &step.title);
            let page = || format!("{step} · {} · Bindpose", notebook.lesson().title);
            document.set_title(&if on_cover { NOTEBOOK_TITLE.to_owned() } else { page() });
        }
    }

    /// Where to go when the reader has gone back or forward, or has typed another
    /// fragment.
    pub(super) fn changed(&mut self, set: &LessonSet) -> Option<Gone> {
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
        let to_cover = || Self::is_cover(&self.site, set).then_some(Gone::ToCover);
        link.map(Gone::To).or_else(to_cover)
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
    set.lessons.iter().any(|lesson| lesson.has_folder(folder)).then_some(folder)
}
