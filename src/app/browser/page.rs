//! The notebook of a browser's page, with the address bar, what is remembered, and
//! the teacher's window.

mod later_parts;

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};

use bindpose_notebook::link::PagePart;
use bindpose_page::theme;
use bindpose_render::MovingPictures;
use bindpose_shipped as shipped;
use eframe::egui::{Context, Key, Modifiers, RawInput, Ui};
use js_sys::{Array, Function, Promise, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    ClipboardEvent, DataTransfer, DragEvent, Event, File, FileSystemDirectoryEntry,
    FileSystemEntry, FileSystemFileEntry, HtmlCanvasElement,
};

use super::class_line::ClassLine;
use super::device::Device;
use super::opened::{Fetching, Opened, PreferencesStorage};
use super::printing;
use super::teachers_popup::{AddressBar, Gone, TeachersPopup};
use crate::app::handout::make_stills;
use crate::app::shell::{Shell, ShellError, ShellOptions};
use crate::app::system_settings::SystemSettingsEvents;
use crate::app::web_document::{Listener, is_whole};

/// Between two times that the address and the storage are brought up to date while
/// a page changes all the time, in seconds. Browsers allow about three a second.
const KEEP_SECS: f64 = 0.5;

/// Before the faces that a lesson is printed with are asked for, in seconds: what is
/// in sight comes first.
const FACES_SECS: f64 = 4.0;

pub(super) struct Page {
    shell: Shell,
    fetching: Fetching,
    /// How many files had come when the faces were last given to egui.
    arrivals: u64,
    /// The open lesson, and when the faces that it is printed with are to be asked
    /// for, in seconds; absent: they were.
    printed: (String, Option<f64>),
    /// Of the canvas that it is on.
    ctx: Context,
    /// `None` where the browser lacks what it takes.
    device: Option<Device>,
    address: Option<AddressBar>,
    /// Absent in a part of the notebook, which remembers nothing.
    storage: Option<PreferencesStorage>,
    popup: TeachersPopup,
    /// Absent where the page is in no class.
    class: Option<ClassLine>,
    events: PageEvents,
    /// Until all parts of the program are here: `web/page/start.js` says so.
    rest: Option<Listener>,
    /// Was it told that a lesson waits for its text?
    told_lack: bool,
    /// [`Shell::changes`] when the address and the storage were last brought up to
    /// date, and when that was.
    kept: Option<(u64, f64)>,
    /// The step that they have, by lesson and number from 0; `None`: the cover.
    written_step: Option<(String, usize)>,
}

impl Page {
    /// At the page of the address bar, on its first canvas.
    pub(super) fn open(
        cc: &eframe::CreationContext<'_>,
        canvas: HtmlCanvasElement,
        opened: Opened,
    ) -> Result<Self, ShellError> {
        let Opened { set, preferences, storage, complaints, query, site, shows_cover, fetching } =
            opened;
        let address = AddressBar::read(site.clone(), &cc.egui_ctx);
        let options = ShellOptions {
            set,
            preferences,
            site: Some(site),
            stills: Some(make_stills),
            moving: MovingPictures::InTime,
            ..ShellOptions::default()
        };
        let mut shell = Shell::new(&cc.egui_ctx, cc.gl.clone(), options)?;
        if query.part != PagePart::Whole {
            shell.show_only(query.part, query.dark);
        }
        if shows_cover {
            shell.open_cover();
        }
        for complaint in complaints {
            shell.warn(complaint);
        }
        let popup = match query.part {
            PagePart::Whole => TeachersPopup::of_notebook(&cc.egui_ctx),
            PagePart::Stage => TeachersPopup::none(),
            PagePart::TeachersWindow => TeachersPopup::in_window(&cc.egui_ctx, &mut shell),
        };
        let in_class = query.in_class && query.part == PagePart::Whole;
        let class = in_class.then(|| ClassLine::listen(&cc.egui_ctx)).flatten();
        let events = PageEvents::listen(&cc.egui_ctx);
        let ctx = cc.egui_ctx.clone();
        let rest = web_sys::window()
            .map(|window| Listener::new(&window, "bindpose-whole", move |_| ctx.request_repaint()));
        shell.await_rest(rest.is_some());
        Ok(Self {
            shell,
            rest,
            told_lack: false,
            fetching,
            arrivals: shipped::arrivals(),
            printed: Default::default(),
            events,
            ctx: cc.egui_ctx.clone(),
            device: Device::attach(canvas, &cc.egui_ctx).ok(),
            address,
            storage,
            popup,
            class,
            kept: None,
            written_step: None,
        })
    }

    /// Goes on on another canvas.
    pub(super) fn move_to(
        &mut self,
        cc: &eframe::CreationContext<'_>,
        canvas: HtmlCanvasElement,
    ) -> Result<(), ShellError> {
        self.device = Device::attach(canvas, &cc.egui_ctx).ok();
        let from = std::mem::replace(&mut self.ctx, cc.egui_ctx.clone());
        self.shell.move_to(&from, &cc.egui_ctx, cc.gl.clone())
    }

    /// There is no canvas for now.
    pub(super) fn leave(&mut self) {
        self.device = None;
        self.shell.destroy();
    }

    /// What fingers do, and what covers the page, before a frame.
    pub(super) fn take_input(&mut self, ctx: &Context, input: &mut RawInput) {
        if let Some(device) = &mut self.device {
            device.announce_fingers(input);
            device.date_presses(ctx, input);
            device.keep_sharp(ctx);
            input.safe_area_insets = Some(device.insets(ctx));
        }
    }

    /// One frame.
    pub(super) fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.follow_address();
        self.popup.update(&mut self.shell, &ctx);
        self.take_parts();
        if let Some(device) = &mut self.device {
            device.before_frame(&ctx, &mut self.shell);
        }
        self.events.before_frame(&ctx, &mut self.shell);
        if let Some(class) = &self.class {
            class.before_frame(&mut self.shell);
        }
        self.shell.ui(ui);
        if let Some(class) = &self.class {
            class.after_frame(&mut self.shell);
        }
        if let Some(device) = &mut self.device {
            device.after_frame(&ctx, &self.shell);
        }
        self.popup.tell(&mut self.shell, ui.ctx());
        self.fetch(&ctx);
        self.tell_awaited();
        // While something is dragged, it changes with each frame.
        if !ui.ctx().input(|input| input.pointer.any_down()) {
            self.keep_in_time(ui.ctx());
        }
        if self.shell.take_save_retry() {
            self.kept = None;
            ui.ctx().request_repaint();
        }
    }

    /// The browser is about to print.
    pub(super) fn begin_printing(&mut self) {
        let notebook = self.shell.notebook();
        printing::begin(&notebook.set, &notebook.lesson().slug);
    }

    /// The reader leaves.
    pub(super) fn end(&mut self) {
        self.keep(0.0);
        self.popup.end();
    }

    /// Begins to fetch what a frame found missing, and takes the faces that came.
    fn fetch(&mut self, ctx: &Context) {
        self.ask_for_printed_faces(ctx);
        self.fetching.fetch_wanted(ctx);
        let arrivals = shipped::arrivals();
        // Together: with each set of faces all text is laid out anew.
        if self.arrivals != arrivals && !shipped::are_faces_coming() {
            self.arrivals = arrivals;
            ctx.set_fonts(theme::fonts());
            ctx.request_repaint();
        }
    }

    /// The browser does not wait for them when it prints.
    fn ask_for_printed_faces(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let notebook = self.shell.notebook();
        let slug = &notebook.lesson().slug;
        if self.printed.0 != *slug {
            self.printed = (slug.clone(), Some(now_secs + FACES_SECS));
            ctx.request_repaint_after_secs(FACES_SECS as f32);
        }
        if self.printed.1.is_none_or(|at_secs| now_secs < at_secs) {
            return;
        }
        // What writes handouts comes with the second part.
        if is_whole() {
            printing::ask_for_faces(&notebook.set, slug);
            self.printed.1 = None;
        } else {
            self.printed.1 = Some(now_secs + FACES_SECS);
            ctx.request_repaint_after_secs(FACES_SECS as f32);
        }
    }

    /// Goes where the reader went by the browser's own buttons.
    fn follow_address(&mut self) {
        let set = &self.shell.notebook().set;
        match self.address.as_mut().and_then(|bar| bar.changed(set)) {
            None => {}
            Some(Gone::ToCover) => self.shell.open_cover(),
            Some(Gone::To(link)) => {
                if let Err(wrong) = self.shell.follow(&link) {
                    self.shell.warn(wrong);
                }
            }
        }
    }

    fn keep_in_time(&mut self, ctx: &Context) {
        let changes = self.shell.changes();
        let now_secs = ctx.input(|input| input.time);
        if let Some((kept, at_secs)) = self.kept {
            let wait_secs = at_secs + KEEP_SECS - now_secs;
            if kept == changes {
                return;
            }
            if wait_secs > 0.0 && self.written_step == self.here() {
                ctx.request_repaint_after_secs(wait_secs as f32);
                return;
            }
        }
        if !self.keep(now_secs) {
            // The browser allows no more of it for some seconds.
            ctx.request_repaint_after_secs(5.0);
        }
    }

    fn here(&self) -> Option<(String, usize)> {
        let document = self.shell.notebook().document();
        (!self.shell.is_on_cover()).then(|| (document.lesson.clone(), document.step))
    }

    /// Address and storage, as the page is now. False when the address has to be
    /// written again.
    fn keep(&mut self, now_secs: f64) -> bool {
        let Some(storage) = &mut self.storage else {
            return true;
        };
        let notebook = self.shell.notebook();
        // The page that is asked for is not the one that is open.
        if notebook.awaited().is_some() {
            return true;
        }
        let bar = self.address.as_mut();
        let written = bar.is_none_or(|bar| bar.show(notebook, self.shell.is_on_cover()));
        let stored = storage.write(&self.shell.preferences());
        self.shell.set_save_failure(stored.err());
        self.written_step = self.here();
        self.kept = written.then(|| (self.shell.changes(), now_secs));
        written
    }
}

// What a browser tells its page beside what eframe passes on: files in folders,
// what the reader asks of every page, keys for printing.

/// All of it.
pub(super) struct PageEvents {
    given: Option<GivenFiles>,
    system: SystemSettingsEvents,
}

impl PageEvents {
    /// Listens from now on.
    pub(super) fn listen(ctx: &Context) -> Self {
        Self { given: GivenFiles::listen(ctx), system: SystemSettingsEvents::listen(ctx) }
    }

    /// Passes on what has come since the last frame, before the page is laid out.
    pub(super) fn before_frame(&mut self, ctx: &Context, shell: &mut Shell) {
        if let Some(settings) = self.system.last() {
            shell.follow_system(settings);
        }
        for given in self.given.iter().flat_map(GivenFiles::since_last) {
            shell.open_given(ctx, given);
        }
        if ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::P)) {
            shell.print();
        }
    }
}

// Files that reach the page in ways that eframe does not know: in a folder that is
// dropped, or pasted.

/// Files that are read of a folder, at most.
const MOST_FILES: usize = 500;
/// Bytes that are read of all of them, at most.
const MOST_BYTES: f64 = 256.0 * 1024.0 * 1024.0;

/// Paths below what was given, and bytes.
pub(super) type Given = Vec<(String, Vec<u8>)>;

/// What is given comes with a frame.
pub(super) struct GivenFiles {
    received: Receiver<Given>,
    _listeners: [Listener; 2],
}

impl GivenFiles {
    /// Listens on the whole page, before eframe does. `None`: there is no page.
    pub(super) fn listen(ctx: &Context) -> Option<Self> {
        let document = web_sys::window()?.document()?;
        let (sender, received) = channel();
        let (of_drops, of_pastes) = ((ctx.clone(), sender.clone()), (ctx.clone(), sender));
        let drops = Listener::new(&document, "drop", move |event| {
            if let Some(event) = event.dyn_ref::<DragEvent>() {
                let folders = event.data_transfer().map(|carried| folders(&carried));
                let entries = folders.unwrap_or_default();
                if !entries.is_empty() {
                    taken_over(event);
                    give(&of_drops, of_entries(entries));
                }
            }
        });
        let pastes = Listener::new(&document, "paste", move |event| {
            if let Some(event) = event.dyn_ref::<ClipboardEvent>() {
                let files = event.clipboard_data().map(|carried| files(&carried));
                let files = files.unwrap_or_default();
                if !files.is_empty() {
                    event.prevent_default();
                    event.stop_propagation();
                    give(&of_pastes, of_files(files));
                }
            }
        });
        Some(Self { received, _listeners: [drops, pastes] })
    }

    /// What has come since this was last called.
    pub(super) fn since_last(&self) -> impl Iterator<Item = Given> {
        self.received.try_iter()
    }
}

/// Whoever listens below does not hear of the drop, only that nothing hovers any
/// more.
fn taken_over(event: &DragEvent) {
    event.prevent_default();
    event.stop_propagation();
    if let (Some(target), Ok(leaves)) = (event.target(), DragEvent::new("dragleave")) {
        let leaves: &Event = &leaves;
        let _ = target.dispatch_event(leaves);
    }
}

/// All that is dropped, if there is a folder among it.
fn folders(carried: &DataTransfer) -> Vec<FileSystemEntry> {
    let items = carried.items();
    let items = (0..items.length()).filter_map(|index| items.get(index));
    let entries = items.filter_map(|item| item.webkit_get_as_entry().ok().flatten());
    let entries: Vec<FileSystemEntry> = entries.collect();
    if entries.iter().any(FileSystemEntry::is_directory) { entries } else { Vec::new() }
}

fn files(carried: &DataTransfer) -> Vec<File> {
    let Some(files) = carried.files() else {
        return Vec::new();
    };
    (0..files.length()).filter_map(|index| files.get(index)).collect()
}

fn give(
    to: &(Context, Sender<Given>),
    reading: impl Future<Output = Result<Given, JsValue>> + 'static,
) {
    let (ctx, sender) = to.clone();
    wasm_bindgen_futures::spawn_local(async move {
        match reading.await {
            Ok(given) => {
                let _ = sender.send(given);
                ctx.request_repaint();
            }
            Err(why) => log::warn!("what was dropped or pasted cannot be read: {why:?}"),
        }
    });
}

async fn of_files(files: Vec<File>) -> Result<Given, JsValue> {
    let room = Cell::new(MOST_BYTES);
    let mut given = Given::new();
    for file in files {
        given.extend(read(file.name(), &file, &room).await?);
    }
    Ok(given)
}

async fn of_entries(entries: Vec<FileSystemEntry>) -> Result<Given, JsValue> {
    let room = Cell::new(MOST_BYTES);
    let mut given = Given::new();
    for entry in entries {
        below(entry, &room, &mut given).await?;
    }
    Ok(given)
}

/// Adds what is below an entry.
fn below<'a>(
    entry: FileSystemEntry,
    room: &'a Cell<f64>,
    given: &'a mut Given,
) -> Pin<Box<dyn Future<Output = Result<(), JsValue>> + 'a>> {
    Box::pin(async move {
        if given.len() >= MOST_FILES {
            return Ok(());
        }
        if entry.is_file() {
            let path = entry.full_path().trim_start_matches('/').to_owned();
            let entry: FileSystemFileEntry = entry.unchecked_into();
            let file = called_back(|done, failed| {
                entry.file_with_callback_and_callback(done, failed);
            });
            let file: File = file.await?.dyn_into()?;
            given.extend(read(path, &file, room).await?);
            return Ok(());
        }
        let folder: FileSystemDirectoryEntry = entry.unchecked_into();
        let reader = folder.create_reader();
        loop {
            // A folder comes in parts; an empty one is its end.
            let part = called_back(|done, failed| {
                let _ = reader.read_entries_with_callback_and_callback(done, failed);
            });
            let part: Array = part.await?.dyn_into()?;
            if part.length() == 0 {
                return Ok(());
            }
            for entry in part.iter() {
                below(entry.unchecked_into(), room, given).await?;
            }
        }
    })
}

async fn called_back(mut call: impl FnMut(&Function, &Function)) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| call(&resolve, &reject));
    JsFuture::from(promise).await
}

/// Its bytes, if there is room for them.
async fn read(
    path: String,
    file: &File,
    room: &Cell<f64>,
) -> Result<Option<(String, Vec<u8>)>, JsValue> {
    if file.size() > room.get() {
        return Ok(None);
    }
    room.set(room.get() - file.size());
    let bytes = JsFuture::from(file.array_buffer()).await?;
    Ok(Some((path, Uint8Array::new(&bytes).to_vec())))
}
