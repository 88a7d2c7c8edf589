//! Files that reach the page in ways that eframe does not know: in a folder that is
//! dropped, or pasted.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};

use eframe::egui::Context;
use js_sys::{Array, Function, Promise, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    ClipboardEvent, DataTransfer, DragEvent, Event, File, FileSystemDirectoryEntry,
    FileSystemEntry, FileSystemFileEntry,
};

use crate::app::listener::Listener;

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
