//! Models that were opened, as the browser keeps them for this site: it gives no
//! paths to open files by again. Where it keeps nothing, they are opened anew.

use std::collections::BTreeSet;
use std::path::Path;

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransactionMode};

use super::input_file::InputFile;
use super::unopened::file_name;
use crate::asset::Source;
use crate::notebook::MOST_RECENT;

const DATABASE: &str = "bindpose";
/// A model by the name of its file: a list of names and bytes, its own first.
const STORE: &str = "models";
/// Bytes of a model that is kept, with the files beside it, at most.
const MOST_BYTES: usize = 32 << 20;

/// Keeps the files of a model. `recent`: names of those that are to stay where it
/// gets too many.
pub(super) async fn keep(source: &Source, recent: &BTreeSet<String>) -> Result<(), JsValue> {
    let files = || {
        let main = std::iter::once((&source.name, &source.main));
        main.chain(&source.beside)
    };
    if files().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_BYTES {
        return Ok(());
    }
    let kept = Array::new();
    for (name, bytes) in files() {
        kept.push(&Array::of2(&name.into(), &Uint8Array::from(&**bytes)));
    }
    let put = store(IdbTransactionMode::Readwrite)
        .await?
        .put_with_key(&kept, &source.name.as_str().into())?;
    answer(&put).await?;
    let names = names().await?;
    let others = names
        .difference(recent)
        .filter(|&name| *name != source.name);
    for name in others.take(names.len().saturating_sub(MOST_RECENT)) {
        forget(name).await?;
    }
    Ok(())
}

/// The files of a model; none where it is not kept.
pub(super) async fn files(path: &Path) -> Result<Vec<InputFile>, JsValue> {
    let store = store(IdbTransactionMode::Readonly).await?;
    let kept = answer(&store.get(&file_name(path).into())?).await?;
    let Ok(kept) = kept.dyn_into::<Array>() else {
        return Ok(Vec::new());
    };
    let file = |file: JsValue| {
        let file: Array = file.dyn_into().ok()?;
        let bytes: Uint8Array = file.get(1).dyn_into().ok()?;
        Some(InputFile::Bytes(
            file.get(0).as_string()?,
            bytes.to_vec().into(),
        ))
    };
    Ok(kept.iter().filter_map(file).collect())
}

/// Names of all that are kept.
pub(super) async fn names() -> Result<BTreeSet<String>, JsValue> {
    let store = store(IdbTransactionMode::Readonly).await?;
    let names: Array = answer(&store.get_all_keys()?).await?.dyn_into()?;
    Ok(names.iter().filter_map(|name| name.as_string()).collect())
}

/// Keeps it no longer.
pub(super) async fn forget(name: &str) -> Result<(), JsValue> {
    let store = store(IdbTransactionMode::Readwrite).await?;
    answer(&store.delete(&name.into())?).await?;
    Ok(())
}

async fn store(mode: IdbTransactionMode) -> Result<IdbObjectStore, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let factory = window.indexed_db()?.ok_or(JsValue::NULL)?;
    let opening = factory.open_with_u32(DATABASE, 1)?;
    let of_upgrade = opening.clone();
    // Called the first time only; it goes when the base is open.
    let upgrade = Closure::<dyn FnMut()>::new(move || {
        if let Ok(database) = database(&of_upgrade) {
            let _ = database.create_object_store(STORE);
        }
    });
    opening.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    answer(&opening).await?;
    opening.set_onupgradeneeded(None);
    let transaction = database(&opening)?.transaction_with_str_and_mode(STORE, mode)?;
    transaction.object_store(STORE)
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
