//! From given files to a rig.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::given::{Given, model_among};
use super::{Opened, Unopened};
use crate::asset::{Origin, Progress, Rig, SceneGraph, Source, read_gltf};

/// All files of a model together, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Memory that a model takes for each byte of its files, while it is read and
/// drawn: packed numbers become floats, on both sides of the graphics card.
const BYTES_PER_BYTE: u64 = 6;

/// Reads the model among these files.
pub(super) fn opened(given: &[Given], progress: &Progress) -> Result<Opened, Unopened> {
    let (model, others) = model_among(given)?;
    let rig = read(model, given, progress)?;
    let path = match model {
        Given::Path(path) => std::path::absolute(path).ok(),
        Given::Dropped(_) | Given::Bytes(..) => None,
    };
    let remark = others
        .first()
        .map(|other| format!("One model stands here at a time: “{other}” was left aside."));
    Ok(Opened { rig, path, remark })
}

/// Reads a file and what it names beside it, waiting until it is done.
#[cfg(not(target_arch = "wasm32"))]
pub(in crate::app) fn open_file(path: &Path) -> Result<Arc<Rig>, Unopened> {
    let given = [Given::Path(path.to_owned())];
    opened(&given, &Progress::default()).map(|opened| opened.rig)
}

fn read(model: &Given, given: &[Given], progress: &Progress) -> Result<Arc<Rig>, Unopened> {
    let name = model.name();
    let room = RefCell::new(room());
    let main = content(model, &mut room.borrow_mut()).map_err(|unread| unread.of(&name))?;
    progress.set(0.2);
    let beside: RefCell<BTreeMap<String, Arc<[u8]>>> = RefCell::default();
    let unread: RefCell<Option<Unopened>> = RefCell::default();
    let resolve = |path: &str| {
        if progress.is_cancelled() {
            return None;
        }
        match found_beside(path, model, given, &mut room.borrow_mut())? {
            Ok(bytes) => {
                beside
                    .borrow_mut()
                    .insert(path.to_owned(), Arc::clone(&bytes));
                Some(bytes.to_vec())
            }
            Err(why) => {
                unread.borrow_mut().get_or_insert(why.of(path));
                None
            }
        }
    };
    let rig = read_gltf(&main, &resolve);
    if let Some(unread) = unread.take() {
        return Err(unread);
    }
    let rig = rig.map_err(|error| Unopened::gltf(&name, error))?;
    progress.set(1.0);
    let source = Source {
        name,
        main,
        beside: beside.take(),
    };
    Ok(Arc::new(Rig {
        origin: Some(Arc::new(Origin {
            source,
            graph: SceneGraph::default(),
            notes: Vec::new(),
        })),
        ..rig
    }))
}

/// A file that the model names, from its own folder or from what was given with
/// it, where a browser or a mailer may have dropped its folders. `None`: there
/// is no such file.
fn found_beside(
    path: &str,
    model: &Given,
    given: &[Given],
    room: &mut u64,
) -> Option<Result<Arc<[u8]>, Unread>> {
    if let Given::Path(model) = model {
        let file = model.parent().unwrap_or(Path::new("")).join(path);
        if file.is_file() {
            return Some(content(&Given::Path(file), room));
        }
    }
    let last = path.rsplit('/').next().unwrap_or(path);
    let file = given.iter().find(|file| file.name() == last)?;
    Some(content(file, room))
}

/// Why a file has no bytes.
enum Unread {
    /// Its size in bytes, and what is left.
    TooLarge(u64, u64),
    /// In the system's words.
    System(String),
}

impl Unread {
    fn of(self, name: &str) -> Unopened {
        match self {
            Self::TooLarge(size, room) => Unopened::new(
                name,
                &format!(
                    "It is too large: {} MB, and this machine can hold {} MB of a model.",
                    size >> 20,
                    room >> 20
                ),
                "Open a smaller model, or close other programs.",
            ),
            Self::System(why) => Unopened::new(
                name,
                &format!("The file cannot be read ({why})."),
                "See that it is there and that you may read it.",
            ),
        }
    }
}

/// All bytes of a file, if they fit into what is left, which they then take.
fn content(file: &Given, room: &mut u64) -> Result<Arc<[u8]>, Unread> {
    let mut take = |size: u64| {
        *room = room
            .checked_sub(size)
            .ok_or(Unread::TooLarge(size, *room))?;
        Ok(())
    };
    match file {
        Given::Path(path) => {
            let system = |error: std::io::Error| Unread::System(error.to_string());
            let about = std::fs::metadata(path).map_err(system)?;
            if !about.is_file() {
                return Err(Unread::System("it is no file".to_owned()));
            }
            take(about.len())?;
            Ok(std::fs::read(path).map_err(system)?.into())
        }
        #[cfg(not(target_arch = "wasm32"))]
        Given::Dropped(dropped) => {
            let bytes = dropped.bytes().map_err(Unread::System)?;
            take(bytes.len() as u64)?;
            Ok(bytes.into())
        }
        #[cfg(target_arch = "wasm32")]
        Given::Dropped(_) => Err(Unread::System("the browser still holds it".to_owned())),
        Given::Bytes(_, bytes) => {
            take(bytes.len() as u64)?;
            Ok(Arc::clone(bytes))
        }
    }
}

/// Bytes of files that a model may have here.
fn room() -> u64 {
    memory_free().map_or(MOST_BYTES, |free| MOST_BYTES.min(free / BYTES_PER_BYTE))
}

/// Bytes of memory that nobody uses, where the system tells.
fn memory_free() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// The same files with their bytes, which a browser gives only on asking.
#[cfg(target_arch = "wasm32")]
pub(super) async fn fetched(given: Vec<Given>) -> Result<Vec<Given>, Unopened> {
    let mut fetched = Vec::with_capacity(given.len());
    for file in given {
        let name = file.name();
        fetched.push(match file {
            Given::Dropped(dropped) => {
                let bytes = dropped.bytes_async().await;
                let bytes = bytes.map_err(|why| Unread::System(why).of(&name))?;
                Given::Bytes(name, bytes.into())
            }
            other => other,
        });
    }
    Ok(fetched)
}
