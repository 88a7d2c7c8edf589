//! The teacher's window as a page of its own, which exchanges messages with the notebook's
//! page. Messages work across screens, and between pages opened as files, which share no
//! channel of one site.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bindpose_lesson::LessonSet;
use bindpose_notebook::link::{NotebookSite, WebAddress};
use bindpose_notebook::{NOTEBOOK_TITLE, Notebook};
use eframe::egui::Context;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{MessageEvent, Window};

use super::web_document::Listener;
use crate::app::shell::Shell;
use crate::app::teachers_message::TeachersMessage;

/// Name of the window as a target of links.
const WINDOW_NAME: &str = "bindpose-teacher";

/// Initial size of the window, as for `window.open`.
const WINDOW_FEATURES: &str = "popup,width=560,height=640";

/// Interval at which a window without its notebook looks for it.
const HELLO_INTERVAL_SECS: f32 = 2.0;

const POPUP_BLOCKED: &str = "The browser has held back the teacher’s window. Allow windows of this \
    page, by the sign in the address bar or in the browser’s settings, and open it again.";
const NO_NOTEBOOK: &str =
    "This is the teacher’s window of a notebook: open it there, by “Teacher’s notes”.";
const NOTEBOOK_CLOSED: &str = "The notebook is closed. This window follows it again when it is \
    opened in the same place.";

/// A message and the window that sent it.
struct ReceivedMessage {
    message: TeachersMessage,
    sender: Option<Window>,
}

/// Connection between the notebook's page and that of the teacher's window.
pub(super) struct TeachersPopup {
    role: Role,
    other: Option<Window>,
    /// Messages received since the last frame.
    inbox: Rc<RefCell<Vec<ReceivedMessage>>>,
    sync: SyncState,
    /// Whether the window was requested in the last frame.
    was_open: bool,
    _listener: Option<Listener>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Notebook,
    Window,
    /// A page without a teacher.
    Neither,
}

/// State of the exchange with the other page.
#[derive(PartialEq)]
enum SyncState {
    /// The notebook has to send its state, or the window has received none.
    Pending,
    /// In the notebook: the state that the window has.
    Sent { link: String, teaching: bool },
    /// In the window: the notebook has sent its state.
    Received,
}

impl TeachersPopup {
    pub(super) fn for_notebook(ctx: &Context) -> Self {
        Self::new(Role::Notebook, None, ctx)
    }

    pub(super) fn for_window(ctx: &Context, shell: &mut Shell) -> Self {
        let opener =
            web_sys::window().and_then(|window| window.opener().ok()).and_then(window_from_value);
        if opener.is_none() {
            shell.show_error(NO_NOTEBOOK);
        }
        let popup = Self::new(Role::Window, opener, ctx);
        popup.post(&TeachersMessage::Hello);
        popup
    }

    pub(super) fn inactive() -> Self {
        Self {
            role: Role::Neither,
            other: None,
            inbox: Rc::default(),
            sync: SyncState::Pending,
            was_open: false,
            _listener: None,
        }
    }

    fn new(role: Role, other: Option<Window>, ctx: &Context) -> Self {
        let inbox = Rc::<RefCell<Vec<ReceivedMessage>>>::default();
        let listener_inbox = Rc::clone(&inbox);
        let ctx = ctx.clone();
        let listener = web_sys::window().map(|window| {
            Listener::new(&window, "message", move |event| {
                let Some(event) = event.dyn_ref::<MessageEvent>() else {
                    return;
                };
                let json = event.data().as_string().unwrap_or_default();
                if let Some(message) = TeachersMessage::from_json(&json) {
                    let sender = event.source().and_then(|source| window_from_value(source.into()));
                    listener_inbox.borrow_mut().push(ReceivedMessage { message, sender });
                    ctx.request_repaint();
                }
            })
        });
        Self { role, other, inbox, _listener: listener, ..Self::inactive() }
    }

    /// Handles messages of the other page before a frame.
    pub(super) fn before_frame(&mut self, shell: &mut Shell, ctx: &Context) {
        let received = std::mem::take(&mut *self.inbox.borrow_mut());
        for ReceivedMessage { message, sender } in received {
            match self.role {
                Role::Notebook if !self.is_trusted(sender.as_ref(), &message) => {}
                Role::Notebook => {
                    if message == TeachersMessage::Hello {
                        self.other = sender;
                        self.was_open = true;
                    }
                    self.sync = SyncState::Pending;
                    shell.handle_window_request(ctx, message);
                }
                Role::Window if message == TeachersMessage::Bye => {
                    self.sync = SyncState::Pending;
                    shell.show_error(NOTEBOOK_CLOSED);
                }
                Role::Window if sender == self.other => {
                    self.sync = SyncState::Received;
                    shell.apply_notebook_state(ctx, &message);
                }
                _ => {}
            }
        }
        let is_waiting = self.role == Role::Window && self.sync == SyncState::Pending;
        if is_waiting && self.other.is_some() {
            self.post(&TeachersMessage::Hello);
            ctx.request_repaint_after_secs(HELLO_INTERVAL_SECS);
        }
    }

    /// Returns true if the sender is the window that was opened here, or a window of this site
    /// that sends a hello. Other sites may embed this page and send it arbitrary messages.
    fn is_trusted(&self, sender: Option<&Window>, message: &TeachersMessage) -> bool {
        match message {
            TeachersMessage::Hello => {
                sender == self.other.as_ref() || sender.is_some_and(has_same_origin)
            }
            _ => sender.is_some() && sender == self.other.as_ref(),
        }
    }

    /// Sends changes to the other page after a frame, and opens or closes the window.
    pub(super) fn after_frame(&mut self, shell: &mut Shell, ctx: &Context) {
        match self.role {
            Role::Neither => {}
            Role::Window => {
                for request in shell.take_notebook_requests() {
                    self.post(&request);
                }
            }
            Role::Notebook => {
                self.open_or_close(shell);
                let now_secs = ctx.input(|input| input.time);
                let state = shell.teachers_state(now_secs);
                if let TeachersMessage::State { link, teaching, .. } = &state
                    && self.other.is_some()
                {
                    let sent = SyncState::Sent { link: link.clone(), teaching: *teaching };
                    if self.sync != sent {
                        self.post(&state);
                        self.sync = sent;
                    }
                }
            }
        }
    }

    fn open_or_close(&mut self, shell: &mut Shell) {
        let is_open = shell.is_teachers_window_open();
        if is_open && !self.was_open {
            self.sync = SyncState::Pending;
            self.other = open_window();
            if self.other.is_none() {
                shell.set_teachers_window(false);
                shell.show_error(POPUP_BLOCKED);
            }
        } else if !is_open && let Some(window) = self.other.take() {
            let _ = window.close();
        }
        self.was_open = shell.is_teachers_window_open();
    }

    /// Notifies the other page that this one closes.
    pub(super) fn close(&self) {
        self.post(&TeachersMessage::Bye);
    }

    fn post(&self, message: &TeachersMessage) {
        if let Some(other) = &self.other {
            // Pages opened as files have no origin that could be named here. The messages hold
            // only addresses of pages of the notebook.
            let _ = other.post_message(&JsValue::from_str(&message.to_json()), "*");
        }
    }
}

/// Converts a value that should be a window. The window of another page is no instance of this
/// page's `Window`, so its type cannot be checked.
fn window_from_value(value: JsValue) -> Option<Window> {
    value.is_object().then(|| value.unchecked_into())
}

fn has_same_origin(other: &Window) -> bool {
    let own_origin = web_sys::window().and_then(|window| window.location().origin().ok());
    // A window of another site does not reveal its origin.
    let other_origin = other.location().origin().ok();
    own_origin.is_some() && own_origin == other_origin
}

/// Opens the teacher's window. Returns `None` if the browser blocks it.
fn open_window() -> Option<Window> {
    let window = web_sys::window()?;
    let hash = window.location().hash().unwrap_or_default();
    let url = format!("{}?window=teacher{hash}", AddressBar::page());
    window.open_with_url_and_target_and_features(&url, WINDOW_NAME, WINDOW_FEATURES).ok().flatten()
}

// The browser's address bar and history.

/// The address of the page, which is kept equal to the open page.
pub(super) struct AddressBar {
    window: Window,
    site: NotebookSite,
    /// The place written to the address. `None` if the address may name its place in another
    /// way.
    written: Option<AddressPlace>,
    /// Path and fragment as last read or written here.
    known: (String, String),
    /// Set when the browser moves within its history, or the reader types an address.
    has_moved: Rc<Cell<bool>>,
    _listeners: [Listener; 2],
}

#[derive(PartialEq, Eq)]
enum AddressPlace {
    Cover,
    Page(WebAddress),
}

/// The place that the reader reached with the browser's buttons, or by typing.
pub(super) enum HistoryTarget {
    Cover,
    Link(String),
}

impl AddressBar {
    pub(super) fn new(site: NotebookSite, ctx: &Context) -> Option<Self> {
        let window = web_sys::window()?;
        let known = path_and_fragment(&window);
        let has_moved = Rc::new(Cell::new(false));
        let listeners = ["popstate", "hashchange"].map(|event| {
            let has_moved = Rc::clone(&has_moved);
            let ctx = ctx.clone();
            Listener::new(&window, event, move |_| {
                has_moved.set(true);
                ctx.request_repaint();
            })
        });
        Some(Self { window, site, written: None, known, has_moved, _listeners: listeners })
    }

    /// The link that the address holds, if any.
    pub(super) fn link(set: &LessonSet) -> Option<String> {
        let (path, fragment) = path_and_fragment(&web_sys::window()?);
        WebAddress::link(lesson_folder(&path, set).unwrap_or_default(), &fragment)
    }

    /// Returns true for the address of the site's first page, with any fragment that names no
    /// page.
    pub(super) fn is_cover(site: &NotebookSite, set: &LessonSet) -> bool {
        Self::link(set).is_none() && site.is_cover(&Self::page())
    }

    pub(super) fn has_fragment() -> bool {
        web_sys::window().is_some_and(|window| !path_and_fragment(&window).1.is_empty())
    }

    /// The query of the address, with its `?`.
    pub(super) fn query() -> String {
        let search = web_sys::window().and_then(|window| window.location().search().ok());
        search.unwrap_or_default()
    }

    /// The address without query and fragment.
    pub(super) fn page() -> String {
        let href =
            web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
        let end = href.find(['?', '#']).unwrap_or(href.len());
        href[..end].to_owned()
    }

    /// Writes the open page, or the cover, to the address. Another step adds an entry to the
    /// history, other values of the same step replace the entry. Returns false if the browser
    /// rejects the change, as some do after a hundred changes in 30 seconds.
    pub(super) fn write(&mut self, notebook: &Notebook, is_on_cover: bool) -> bool {
        let link = notebook.link();
        let place = if is_on_cover {
            AddressPlace::Cover
        } else {
            match WebAddress::of_link(&link) {
                Some(address) => AddressPlace::Page(address),
                None => return true,
            }
        };
        if self.written.as_ref() == Some(&place) {
            return true;
        }
        let is_new_entry = match (&self.written, &place) {
            (None, _) => false,
            (Some(AddressPlace::Page(written)), AddressPlace::Page(address)) => {
                !written.same_step(address)
            }
            _ => true,
        };
        let url = match place {
            AddressPlace::Cover => Some(self.site.cover()),
            AddressPlace::Page(_) => self.site.page(&link, &notebook.set),
        };
        let Ok(history) = self.window.history() else {
            return true;
        };
        let result = if is_new_entry {
            history.push_state_with_url(&JsValue::NULL, "", url.as_deref())
        } else {
            history.replace_state_with_url(&JsValue::NULL, "", url.as_deref())
        };
        if result.is_ok() {
            self.set_document_title(notebook, is_on_cover);
            self.written = Some(place);
            self.known = path_and_fragment(&self.window);
        }
        result.is_ok()
    }

    /// Sets the title that tabs, bookmarks and the history show.
    fn set_document_title(&self, notebook: &Notebook, is_on_cover: bool) {
        let Some(document) = self.window.document() else {
            return;
        };
        if is_on_cover {
            document.set_title(NOTEBOOK_TITLE);
        } else {
            let step = notebook.step().map_or("", |step| &step.title);
            document.set_title(&format!("{step} · {} · Bindpose", notebook.lesson().title));
        }
    }

    /// Returns the place to open if the reader has gone back or forward, or has typed another
    /// fragment, since the last call.
    pub(super) fn take_target(&mut self, set: &LessonSet) -> Option<HistoryTarget> {
        if !self.has_moved.take() {
            return None;
        }
        let current = path_and_fragment(&self.window);
        if current == self.known {
            return None;
        }
        let (path, fragment) = &current;
        let link = WebAddress::link(lesson_folder(path, set).unwrap_or_default(), fragment);
        self.known = current;
        // A typed address may name lesson and step by numbers. The next write replaces this
        // entry with the form that links have, instead of adding another entry.
        self.written = None;
        match link {
            Some(link) => Some(HistoryTarget::Link(link)),
            None => Self::is_cover(&self.site, set).then_some(HistoryTarget::Cover),
        }
    }
}

/// Path and fragment of the address, without `#`.
fn path_and_fragment(window: &Window) -> (String, String) {
    let location = window.location();
    let hash = location.hash().unwrap_or_default();
    let fragment = hash.strip_prefix('#').unwrap_or(&hash).to_owned();
    (location.pathname().unwrap_or_default(), fragment)
}

/// The last folder of a path. Returns `None` if it is not the folder of a lesson.
fn lesson_folder<'p>(path: &'p str, set: &LessonSet) -> Option<&'p str> {
    let folder = path.rsplit('/').nth(1)?;
    set.lessons.iter().any(|lesson| lesson.has_folder(folder)).then_some(folder)
}
