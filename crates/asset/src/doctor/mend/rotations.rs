//! Rotations of nodes, normals, last rows of inverse bind matrices.

use std::collections::BTreeSet;

use serde_json::json;

use super::draft::{Data, Draft, accessor, attribute};
use crate::doctor::doc::{Doc, numbers};
use crate::doctor::elements::{Component, stored_elements};

/// How far a length may be from 1 before it is written anew.
const CHANGE: f64 = 5e-5;
/// How far a last row may be from 0 0 0 1 to be taken for rounding.
const ROUNDING: f64 = 1e-3;

pub(super) fn mend(draft: &mut Draft) {
    nodes(draft);
    normals(draft);
    inverse_binds(draft);
}

fn nodes(draft: &mut Draft) {
    for index in 0..draft.doc.list("nodes").len() {
        let Some(node) = draft.one_mut("nodes", index) else {
            continue;
        };
        let stored = node.get("rotation").cloned();
        let rotation =
            stored.and_then(|stored| numbers::<4>(&json!({"rotation": stored}), "rotation"));
        let Some(rotation) = rotation else {
            continue;
        };
        let length = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (length - 1.0).abs() <= CHANGE {
            continue;
        }
        if length > 1e-12 {
            node.insert("rotation".to_owned(), json!(rotation.map(|x| x / length)));
        } else {
            // Four zeros turn nothing.
            node.remove("rotation");
        }
    }
}

fn normals(draft: &mut Draft) {
    let accessors: BTreeSet<usize> = attribute(&draft.doc, "NORMAL").collect();
    for index in accessors {
        if let Some(data) = unit_normals(&draft.doc, index) {
            draft.write_accessor(index, data);
        }
    }
}

fn unit_normals(doc: &Doc<'_>, index: usize) -> Option<Data> {
    let elements = stored_elements(doc, index)?;
    if elements.format.kind.components != 3 {
        return None;
    }
    let normals: Vec<([f64; 3], f64)> = (0..elements.count)
        .map(|vertex| {
            let normal = elements.vector::<3>(vertex);
            (normal, normal.iter().map(|x| x * x).sum::<f64>().sqrt())
        })
        .collect();
    let wrong = |length: f64| length > 1e-12 && (length - 1.0).abs() > CHANGE;
    if !normals.iter().any(|&(_, length)| wrong(length)) {
        return None;
    }
    let numbers = normals.iter().flat_map(|&(normal, length)| {
        let by = if wrong(length) { length } else { 1.0 };
        normal.map(|x| x / by)
    });
    Some(Data::floats("VEC3", elements.count, numbers))
}

fn inverse_binds(draft: &mut Draft) {
    let accessors: BTreeSet<usize> = draft
        .doc
        .list("skins")
        .iter()
        .filter_map(|skin| accessor(&draft.doc, skin, "inverseBindMatrices"))
        .collect();
    for index in accessors {
        if let Some(data) = exact_rows(&draft.doc, index) {
            draft.write_accessor(index, data);
        }
    }
}

/// With last rows of exactly 0 0 0 1, if all are so but for rounding.
fn exact_rows(doc: &Doc<'_>, index: usize) -> Option<Data> {
    let elements = stored_elements(doc, index)?;
    if elements.format.kind.components != 16 || elements.format.component != Component::F32 {
        return None;
    }
    let expected = |lane: usize| if lane == 15 { 1.0 } else { 0.0 };
    let last_row = |lane: usize| lane % 4 == 3;
    let off = |element: usize, lane: usize| (elements.number(element, lane) - expected(lane)).abs();
    let mut worst = 0.0_f64;
    for element in 0..elements.count {
        for lane in (0..16).filter(|&lane| last_row(lane)) {
            worst = worst.max(off(element, lane));
        }
    }
    if worst == 0.0 || !worst.is_finite() || worst > ROUNDING {
        return None;
    }
    let numbers =
        (0..elements.count).flat_map(|element| {
            let elements = &elements;
            (0..16).map(move |lane| {
                if last_row(lane) { expected(lane) } else { elements.number(element, lane) }
            })
        });
    Some(Data::floats("MAT4", elements.count, numbers))
}
