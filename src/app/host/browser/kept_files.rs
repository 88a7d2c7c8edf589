//! Copies of opened models and courses in the browser's storage for this site, because a
//! browser returns no paths to open files again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransactionMode};

use bindpose_gltf::Rig;
use bindpose_lesson::{LessonSet, unpack};
use bindpose_notebook::MAX_RECENT_MODELS;
use eframe::egui::Context;

use crate::app::opening::file_name;

/// Models, with the files beside them.
pub(super) const MODELS: KeptFiles =
    KeptFiles { database: "bindpose", store: "models", max_entries: MAX_RECENT_MODELS };

/// Packed courses. They have their own database, because no store can be added to a database
/// that another page has open.
const COURSES: KeptFiles =
    KeptFiles { database: "bindpose-courses", store: "courses", max_entries: MAX_COURSES };

const MAX_COURSES: usize = 4;

/// Largest entry, a model with the files beside it or a course.
const MAX_ENTRY_BYTES: usize = 32 << 20;

/// Storage of files of one kind. An entry has the name of its first file, and is a list of
/// names and bytes.
pub(super) struct KeptFiles {
    database: &'static str,
    store: &'static str,
    max_entries: usize,
}

impl KeptFiles {
    /// Stores an entry under the name of its first file, if it is not too large. If there are
    /// too many entries, those not in `recent` are deleted.
    pub(super) async fn keep(
        &self,
        files: &[(&str, &[u8])],
        recent: &BTreeSet<String>,
    ) -> Result<(), JsValue> {
        let Some((own_name, _)) = files.first() else {
            return Ok(());
        };
        if files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MAX_ENTRY_BYTES {
            return Ok(());
        }
        let entry = Array::new();
        for (name, bytes) in files {
            entry.push(&Array::of2(&(*name).into(), &Uint8Array::from(*bytes)));
        }
        let store = self.open_store(IdbTransactionMode::Readwrite).await?;
        wait_for(&store.put_with_key(&entry, &(*own_name).into())?).await?;
        let names = self.names().await?;
        let others = names.difference(recent).filter(|name| name.as_str() != *own_name);
        for name in others.take(names.len().saturating_sub(self.max_entries)) {
            self.delete(name).await?;
        }
        Ok(())
    }

    /// Returns names and bytes of the files of an entry. Empty if there is no such entry.
    pub(super) async fn files(&self, name: &str) -> Result<Vec<(String, Arc<[u8]>)>, JsValue> {
        let store = self.open_store(IdbTransactionMode::Readonly).await?;
        let entry = wait_for(&store.get(&name.into())?).await?;
        let Ok(entry) = entry.dyn_into::<Array>() else {
            return Ok(Vec::new());
        };
        Ok(entry.iter().filter_map(parse_file).collect())
    }

    /// Returns the names of all entries.
    pub(super) async fn names(&self) -> Result<BTreeSet<String>, JsValue> {
        let store = self.open_store(IdbTransactionMode::Readonly).await?;
        let names: Array = wait_for(&store.get_all_keys()?).await?.dyn_into()?;
        Ok(names.iter().filter_map(|name| name.as_string()).collect())
    }

    pub(super) async fn delete(&self, name: &str) -> Result<(), JsValue> {
        let store = self.open_store(IdbTransactionMode::Readwrite).await?;
        wait_for(&store.delete(&name.into())?).await?;
        Ok(())
    }

    async fn open_store(&self, mode: IdbTransactionMode) -> Result<IdbObjectStore, JsValue> {
        let window = web_sys::window().ok_or(JsValue::NULL)?;
        let factory = window.indexed_db()?.ok_or(JsValue::NULL)?;
        let request = factory.open_with_u32(self.database, 1)?;
        let upgrade_request = request.clone();
        let store = self.store;
        // Called only if the database is new. Removed when the database is open.
        let upgrade = Closure::<dyn FnMut()>::new(move || {
            if let Ok(database) = database(&upgrade_request) {
                let _ = database.create_object_store(store);
            }
        });
        request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
        wait_for(&request).await?;
        request.set_onupgradeneeded(None);
        let transaction = database(&request)?.transaction_with_str_and_mode(self.store, mode)?;
        transaction.object_store(self.store)
    }
}

/// Parses the name and the bytes of a file in an entry.
fn parse_file(value: JsValue) -> Option<(String, Arc<[u8]>)> {
    let file: Array = value.dyn_into().ok()?;
    let bytes: Uint8Array = file.get(1).dyn_into().ok()?;
    Some((file.get(0).as_string()?, bytes.to_vec().into()))
}

fn database(request: &IdbOpenDbRequest) -> Result<IdbDatabase, JsValue> {
    request.result()?.dyn_into()
}

async fn wait_for(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    JsFuture::from(promise).await?;
    request.result()
}

/// Stores the files of a model under the name of the first, if the browser allows that. `recent`
/// are the models that are not deleted for it.
pub(in crate::app) fn keep_model(rig: &Arc<Rig>, recent: &[PathBuf]) {
    let rig = Arc::clone(rig);
    let recent = recent.iter().map(|path| file_name(path)).collect();
    wasm_bindgen_futures::spawn_local(async move {
        let Some(origin) = &rig.origin else { return };
        let source = &origin.source;
        let mut files: Vec<(&str, &[u8])> = vec![(&*source.name, &*source.main)];
        for (name, bytes) in &source.beside {
            files.push((&**name, &**bytes));
        }
        if let Err(why) = MODELS.keep(&files, &recent).await {
            log::warn!("the browser does not keep the model: {why:?}");
        }
    });
}

/// Deletes the copy of a model that was removed from the list.
pub(in crate::app) fn delete_kept_model(path: &Path) {
    let name = file_name(path);
    wasm_bindgen_futures::spawn_local(async move {
        let _ = MODELS.delete(&name).await;
    });
}

/// Searches for models that the browser does not keep.
pub(in crate::app) fn find_missing_files(
    ctx: Context,
    paths: Vec<PathBuf>,
) -> Receiver<BTreeSet<PathBuf>> {
    let (sender, receiver) = channel();
    wasm_bindgen_futures::spawn_local(async move {
        let kept = MODELS.names().await.unwrap_or_default();
        let missing = paths.into_iter().filter(|path| !kept.contains(&file_name(path)));
        let _ = sender.send(missing.collect());
        ctx.request_repaint();
    });
    receiver
}

/// Stores a course under the name of its file. `courses` are the stored courses, the newest
/// last; the course is appended, and the oldest are removed if there are too many. Returns
/// false if it is too large.
pub(in crate::app) fn keep_course(
    courses: &mut Vec<PathBuf>,
    path: PathBuf,
    packed: &Arc<[u8]>,
) -> bool {
    courses.retain(|known| *known != path);
    if packed.len() > MAX_ENTRY_BYTES {
        return false;
    }
    let name = file_name(&path);
    courses.push(path);
    courses.drain(..courses.len().saturating_sub(COURSES.max_entries));
    let names = courses.iter().map(|path| path.display().to_string()).collect();
    let packed = Arc::clone(packed);
    wasm_bindgen_futures::spawn_local(async move {
        if let Err(why) = COURSES.keep(&[(&name, &packed)], &names).await {
            log::warn!("the browser does not keep the course: {why:?}");
        }
    });
    true
}

/// Adds the stored courses of the last run to the lessons. Returns the names of their files,
/// and a message for each course that could not be opened.
pub(super) async fn open_kept_courses(
    set: &mut LessonSet,
    courses: &[PathBuf],
) -> (Vec<PathBuf>, Vec<String>) {
    let mut open = Vec::new();
    let mut complaints = Vec::new();
    for path in courses {
        let name = path.display().to_string();
        match add_kept_course(set, &name).await {
            Ok(extended_set) => {
                *set = extended_set;
                open.push(path.clone());
            }
            Err(why) => complaints
                .push(format!("The course “{name}” of the last time was not opened: {why}.")),
        }
    }
    (open, complaints)
}

/// Returns the lessons together with those of a stored course.
async fn add_kept_course(set: &LessonSet, name: &str) -> Result<LessonSet, String> {
    let entry = COURSES.files(name).await.unwrap_or_default();
    let Some((_, packed)) = entry.first() else {
        return Err("the browser keeps no copy of it; open it again".to_owned());
    };
    let files = unpack(packed).map_err(|error| error.to_string())?;
    let (extended_set, _) = set.with_course(name, files).map_err(|error| error.to_string())?;
    Ok(extended_set)
}
