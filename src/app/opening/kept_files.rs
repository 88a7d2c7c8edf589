//! Models and courses that were opened, as the browser keeps them for this site: it
//! gives no paths to open files by again. Where it keeps nothing, they are opened anew.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransactionMode};

use bindpose_lesson::{LessonSet, unpack};
use bindpose_notebook::MAX_RECENT_MODELS;

/// Models, with the files beside them.
pub(super) const MODELS: KeptFiles =
    KeptFiles { database: "bindpose", store: "models", most: MAX_RECENT_MODELS };

/// Packed courses. In a database of their own: one that another page has open cannot be
/// given another store.
const COURSES: KeptFiles =
    KeptFiles { database: "bindpose-courses", store: "courses", most: MOST_COURSES };

/// Packed courses that are kept, at most.
const MOST_COURSES: usize = 4;

/// Bytes of a model with the files beside it, or of a course, that are kept, at most.
const MOST_BYTES: usize = 32 << 20;

/// Files of one kind. Each entry has a name and is a list of names and bytes, its own
/// first.
pub(super) struct KeptFiles {
    database: &'static str,
    store: &'static str,
    /// Entries, at most.
    most: usize,
}

impl KeptFiles {
    /// Keeps files under the name of the first, if there is room for them. `recent`:
    /// names of those that are to stay where it gets too many.
    pub(super) async fn keep(
        &self,
        files: &[(&str, &[u8])],
        recent: &BTreeSet<String>,
    ) -> Result<(), JsValue> {
        let Some((own_name, _)) = files.first() else {
            return Ok(());
        };
        if files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_BYTES {
            return Ok(());
        }
        let kept = Array::new();
        for (name, bytes) in files {
            kept.push(&Array::of2(&(*name).into(), &Uint8Array::from(*bytes)));
        }
        let store = self.store(IdbTransactionMode::Readwrite).await?;
        answer(&store.put_with_key(&kept, &(*own_name).into())?).await?;
        let names = self.names().await?;
        let others = names.difference(recent).filter(|name| name.as_str() != *own_name);
        for name in others.take(names.len().saturating_sub(self.most)) {
            self.forget(name).await?;
        }
        Ok(())
    }

    /// Names and bytes of the files of an entry; none where it is not kept.
    pub(super) async fn files(&self, name: &str) -> Result<Vec<(String, Arc<[u8]>)>, JsValue> {
        let store = self.store(IdbTransactionMode::Readonly).await?;
        let kept = answer(&store.get(&name.into())?).await?;
        let Ok(kept) = kept.dyn_into::<Array>() else {
            return Ok(Vec::new());
        };
        let file = |file: JsValue| {
            let file: Array = file.dyn_into().ok()?;
            let bytes: Uint8Array = file.get(1).dyn_into().ok()?;
            Some((file.get(0).as_string()?, bytes.to_vec().into()))
        };
        Ok(kept.iter().filter_map(file).collect())
    }

    /// Names of all that are kept.
    pub(super) async fn names(&self) -> Result<BTreeSet<String>, JsValue> {
        let store = self.store(IdbTransactionMode::Readonly).await?;
        let names: Array = answer(&store.get_all_keys()?).await?.dyn_into()?;
        Ok(names.iter().filter_map(|name| name.as_string()).collect())
    }

    /// Keeps it no longer.
    pub(super) async fn forget(&self, name: &str) -> Result<(), JsValue> {
        let store = self.store(IdbTransactionMode::Readwrite).await?;
        answer(&store.delete(&name.into())?).await?;
        Ok(())
    }

    async fn store(&self, mode: IdbTransactionMode) -> Result<IdbObjectStore, JsValue> {
        let window = web_sys::window().ok_or(JsValue::NULL)?;
        let factory = window.indexed_db()?.ok_or(JsValue::NULL)?;
        let opening = factory.open_with_u32(self.database, 1)?;
        let (of_upgrade, store) = (opening.clone(), self.store);
        // Called the first time only; it goes when the base is open.
        let upgrade = Closure::<dyn FnMut()>::new(move || {
            if let Ok(database) = database(&of_upgrade) {
                let _ = database.create_object_store(store);
            }
        });
        opening.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
        answer(&opening).await?;
        opening.set_onupgradeneeded(None);
        let transaction = database(&opening)?.transaction_with_str_and_mode(self.store, mode)?;
        transaction.object_store(self.store)
    }
}

fn database(opening: &IdbOpenDbRequest) -> Result<IdbDatabase, JsValue> {
    opening.result()?.dyn_into()
}

async fn answer(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let answered = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    JsFuture::from(answered).await?;
    request.result()
}

/// Keeps a course by the name of its file. `courses`: those that are kept, the last one
/// last; it becomes the last, and the first ones go where there are too many. False when
/// it is too large to be kept.
pub(in crate::app) fn keep_course(
    courses: &mut Vec<PathBuf>,
    name: &str,
    packed: Arc<[u8]>,
) -> bool {
    courses.retain(|known| *known != *name);
    if packed.len() > MOST_BYTES {
        return false;
    }
    courses.push(name.into());
    courses.drain(..courses.len().saturating_sub(COURSES.most));
    let names = courses.iter();
    let names = names.map(|path| path.display().to_string()).collect();
    let name = name.to_owned();
    wasm_bindgen_futures::spawn_local(async move {
        if let Err(why) = COURSES.keep(&[(&name, &packed)], &names).await {
            log::warn!("the browser does not keep the course: {why:?}");
        }
    });
    true
}

/// Adds the courses of the last time that are still kept to the lessons; gives the names of
/// their files, and of each other one, why it is not open.
pub(in crate::app) async fn open_kept_courses(
    set: &mut LessonSet,
    courses: &[PathBuf],
) -> (Vec<PathBuf>, Vec<String>) {
    let (mut open, mut complaints) = (Vec::new(), Vec::new());
    for path in courses {
        let name = path.display().to_string();
        match with_kept(set, &name).await {
            Ok(with) => {
                *set = with;
                open.push(path.clone());
            }
            Err(why) => complaints
                .push(format!("The course “{name}” of the last time was not opened: {why}.")),
        }
    }
    (open, complaints)
}

/// The lessons with those of a course that is kept.
async fn with_kept(set: &LessonSet, name: &str) -> Result<LessonSet, String> {
    let kept = COURSES.files(name).await.unwrap_or_default();
    let Some((_, packed)) = kept.first() else {
        return Err("the browser keeps no copy of it; open it again".to_owned());
    };
    let files = unpack(packed).map_err(|wrong| wrong.to_string())?;
    let with = set.with_course(name, files);
    let (with, _) = with.map_err(|wrong| wrong.to_string())?;
    Ok(with)
}
