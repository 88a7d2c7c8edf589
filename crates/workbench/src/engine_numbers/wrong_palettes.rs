//! Palettes of engines with a mistake, computed independently in 64-bit floats on skeletons
//! of many shapes. Each mistake must be reported, and no mistake that gives other numbers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_gltf::{Rig, TaskProgress, load, open};
use bindpose_notebook::palette_texture::as_half;
use bindpose_rigs::builtin;
use bindpose_skin::Trs;
use glam::{DMat4, DQuat, DVec3, Mat4};

use super::engine_model::{EngineModel, Palette, given, matrix, page, scaled};
use super::synthetic_rig::{Numbers, synthetic};
use super::{EngineNumbers, matched};
use crate::differences::are_equal;

/// The mistakes: a phrase that the finding of each contains, and its palette.
fn mistakes(of: &EngineModel) -> Vec<(&'static str, Palette)> {
    let mirror = DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0));
    let z_up = DMat4::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let last = of.count - 1;
    let conjugated = |trs: Trs| matrix(Trs { rotation: trs.rotation.conjugate(), ..trs });
    let on_top = |joint: usize| {
        let rest = of.rest[joint];
        let own = of.local[joint];
        let has = of.keyed[joint];
        matrix(Trs {
            translation: if has[0] { rest.translation + own.translation } else { own.translation },
            rotation: if has[1] { rest.rotation * own.rotation } else { own.rotation },
            scale: if has[2] { rest.scale * own.scale } else { own.scale },
        })
    };
    let by_node = |joint: usize| {
        let node = of.joint_of_node.get(joint).copied().flatten()?;
        Some(of.world_of(&|joint| matrix(of.local[joint]), node) * of.inverse_bind[joint])
    };
    let swapped = |joint: usize| {
        of.inverse_bind[match joint {
            1 => 3.min(last),
            joint if joint == 3.min(last) => 1,
            joint => joint,
        }]
    };
    let binds = &of.inverse_bind;
    let above = of.above();
    let mut all = vec![
        ("inverse-binds-by-rows", of.with_binds(|joint| binds[joint].transpose())),
        ("is not inverted", of.with_binds(|joint| binds[joint].inverse())),
        ("inverse-bind-left-out", of.posed()),
        ("keys-as-changes", of.bound(&of.worlds(on_top))),
        (
            "parent-left-out",
            of.bound(&(0..of.count).map(|joint| matrix(of.local[joint])).collect::<Palette>()),
        ),
        (
            "parent-on-the-right",
            of.bound(&(0..of.count).map(|joint| of.on_the_right(joint)).collect::<Palette>()),
        ),
        ("of other joints, that of the next", of.with_binds(|joint| binds[(joint + 1) % of.count])),
        ("sorted by name", of.with_binds(|joint| binds[of.sorted()[joint]])),
        ("1 has that of 3", of.with_binds(swapped)),
        ("quaternions conjugated", of.bound(&of.worlds(|joint| conjugated(of.local[joint])))),
        ("one transform more, after it, on the left: mirrored in z", of.each(|one| mirror * one)),
        ("one transform more, before it, on the right: mirrored in z", of.each(|one| one * mirror)),
        (
            "inverse bind matrices mirrored in z",
            of.with_binds(|joint| mirror * binds[joint] * mirror),
        ),
        (
            "with world matrices mirrored in z",
            of.bound(&of.posed().into_iter().map(|one| mirror * one * mirror).collect::<Palette>()),
        ),
        ("mirrored at z = 0", of.each(|one| mirror * one * mirror)),
        ("a hundred times as large", of.each(|one| scaled(one, 100.0))),
        ("inches into metres", of.each(|one| scaled(one, 0.0254))),
        (
            "inverse bind matrices whose translations are 100 times",
            of.with_binds(|joint| scaled(binds[joint], 100.0)),
        ),
        (
            "world matrices whose translations are 0.01 times",
            of.bound(&of.posed().into_iter().map(|one| scaled(one, 0.01)).collect::<Palette>()),
        ),
        ("with z up", of.each(|one| z_up * one * z_up.inverse())),
        ("turned by 90° about x", of.each(|one| z_up * one)),
        ("one frame at 30 a second", of.bound(&of.worlds(|joint| matrix(of.previous[joint])))),
        ("are the joint matrices, transposed", of.each(|one| one.transpose())),
        ("mesh’s node, twice", of.each(|one| of.mesh_node * of.mesh_node * one)),
        ("joint matrices: the mesh’s node is multiplied in", of.each(|one| of.mesh_node * one)),
        (
            "joint matrices: the inverse of the mesh’s node",
            of.each(|one| of.mesh_node.inverse() * one),
        ),
        ("at rest: nothing", of.bound(&of.worlds(|joint| matrix(of.rest[joint])))),
        ("above the joints: it is left out", of.each(|one| above.inverse() * one)),
        ("applied twice", of.each(|one| above * one)),
        (
            "inverses of local matrices at rest",
            of.with_binds(|joint| matrix(of.rest[joint]).inverse()),
        ),
        ("palette-short", short(of.right())),
        ("packed as 3 × 4", packed(&of.right(), 12)),
        ("packed as 4 × 4", packed(&of.right(), 16)),
    ];
    if let Some(by_node) = (0..of.count).map(by_node).collect() {
        all.push(("of node j", by_node));
    }
    all
}

/// A palette that lacks its last matrix.
fn short(mut right: Palette) -> Palette {
    if let Some(last) = right.last_mut() {
        *last = DMat4::ZERO;
    }
    right
}

/// Matrices packed by rows with `size` numbers each, and read with the other size.
fn packed(right: &[DMat4], size: usize) -> Palette {
    let numbers: Vec<f64> =
        right.iter().flat_map(|one| one.transpose().to_cols_array()[..size].to_vec()).collect();
    numbers
        .chunks_exact(28 - size)
        .take(right.len())
        .map(|chunk| {
            let mut cells = DMat4::IDENTITY.to_cols_array();
            cells[..chunk.len()].copy_from_slice(chunk);
            DMat4::from_cols_array(&cells).transpose()
        })
        .collect()
}

/// Are the palettes equal up to rounding?
fn is_same(a: &[Mat4], b: &[Mat4]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_equal(a, b))
}

/// Mistakes that are not reported, or reported wrongly.
fn wrongs(name: &str, rig: &Arc<Rig>, time_secs: Option<f64>) -> Vec<String> {
    let (document, derived) = page(rig, time_secs);
    let model = EngineModel::new(rig, time_secs);
    let right = given(&model.right());
    let all: Vec<(&str, Vec<Mat4>)> =
        mistakes(&model).into_iter().map(|(words, palette)| (words, given(&palette))).collect();
    let mut wrongs = Vec::new();
    for (mistake, palette) in &all {
        if is_same(palette, &right) {
            continue;
        }
        let found = matched(EngineNumbers::Matrices(palette.clone()), &document, &derived);
        let words = found.words();
        // A mistake that gives the same numbers may be reported instead.
        let same = |of: &&(&str, Vec<Mat4>)| is_same(palette, &of.1);
        if !all.iter().filter(same).any(|of| words.contains(of.0)) || found.equal {
            wrongs.push(format!("{name}, {mistake}: {words}"));
        }
        for (other, _) in all.iter().filter(|of| !same(of) && words.contains(of.0)) {
            wrongs.push(format!("{name}, {mistake} named {other}: {words}"));
        }
    }
    wrongs
}

#[test]
fn mistakes_on_generated_skeletons_are_reported() {
    let mut found = Vec::new();
    for seed in 0..12 {
        found.extend(wrongs(&format!("skeleton {seed}"), &synthetic(seed), Some(0.7)));
    }
    assert!(found.is_empty(), "{}\n{}", found.len(), found.join("\n"));
}

#[test]
fn mistakes_on_built_in_rigs_are_reported() {
    let mut found = Vec::new();
    for id in ["whale", "legs", "tentacle", "gimbal"] {
        let rig = builtin(id).unwrap();
        let time_secs =
            (!rig.clips.is_empty()).then(|| 0.6 * f64::from(rig.clips[0].duration_secs));
        found.extend(wrongs(id, &rig, time_secs));
    }
    assert!(found.is_empty(), "{}\n{}", found.len(), found.join("\n"));
}

/// The folder of the shared models, which may be missing.
pub(super) fn shared_folder() -> PathBuf {
    let shared = std::env::var_os("BINDPOSE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    shared.join("models")
}

/// A model of the shared collection, if it is present.
pub(super) fn shared(name: &str) -> Option<Arc<Rig>> {
    let path = shared_folder().join(name);
    if !path.is_file() {
        println!("SKIPPED: no {name}");
        return None;
    }
    let source = load(&path, &TaskProgress::default()).unwrap();
    Some(Arc::new(open(&source, &TaskProgress::default()).unwrap()))
}

#[test]
fn mistakes_on_models_with_a_node_above_their_joints_are_reported() {
    let mut found = Vec::new();
    for name in ["Fox.glb", "CesiumMan.glb"] {
        if let Some(rig) = shared(name) {
            found.extend(wrongs(name, &rig, Some(0.45)));
        }
    }
    assert!(found.is_empty(), "{}\n{}", found.len(), found.join("\n"));
}

#[test]
fn rounded_palette_is_ours() {
    for seed in 0..12 {
        let rig = synthetic(seed);
        let (document, derived) = page(&rig, Some(0.7));
        let model = EngineModel::new(&rig, Some(0.7));
        let right = given(&model.right());
        let mut numbers = Numbers(seed);
        let with = |change: &mut dyn FnMut(f32) -> f32| -> Vec<Mat4> {
            right
                .iter()
                .map(|one| Mat4::from_cols_array(&one.to_cols_array().map(&mut *change)))
                .collect()
        };
        let noisy = with(&mut |x| x * (1.0 + 2e-6 * numbers.next() as f32));
        let half = with(&mut as_half);
        let printed = with(&mut |x| format!("{x:.3}").parse().unwrap());
        for (name, palette) in
            [("exact", right.clone()), ("noisy", noisy), ("half", half), ("printed", printed)]
        {
            let found = matched(EngineNumbers::Matrices(palette), &document, &derived);
            assert!(found.equal, "{seed} {name}: {}", found.words());
        }
        // This program also counts the node above the joints.
        let all = EngineNumbers::Matrices(derived.palette.to_vec());
        assert!(matched(all, &document, &derived).equal);
    }
}

#[test]
fn unexplained_palette_is_located_in_the_hierarchy() {
    let rig = synthetic(3);
    let (document, derived) = page(&rig, Some(0.7));
    let model = EngineModel::new(&rig, Some(0.7));
    let parent = |joint: usize| model.parents[joint].filter(|&up| up < model.count);
    let has_child = |joint: usize| (0..model.count).any(|of| parent(of) == Some(joint));
    let top = (1..model.count).find(|&joint| parent(joint).is_some() && has_child(joint)).unwrap();
    let turned = |joint: usize| {
        let more = DQuat::from_rotation_x(if joint == top { 0.3 } else { 0.0 });
        matrix(model.local[joint]) * DMat4::from_quat(more)
    };
    let palette = given(&model.bound(&model.worlds(turned)));
    let words = matched(EngineNumbers::Matrices(palette), &document, &derived).words();
    let name = |joint: usize| format!("joint {joint} “{}”", model.names[joint]);
    let expected =
        format!("right down to {}, wrong from {} on", name(parent(top).unwrap()), name(top));
    assert!(words.contains(&expected), "{words}");
    assert!(words.contains("ours with a turn of 17.2° about x more"), "{words}");
    // A single wrong matrix.
    let mut palette = given(&model.right());
    palette[top] *= Mat4::from_rotation_x(0.2);
    let words = matched(EngineNumbers::Matrices(palette), &document, &derived).words();
    assert!(words.contains("alone: what hangs on it is right"), "{words}");
}

#[test]
fn moment_of_given_positions_is_found() {
    let rig = builtin("whale").unwrap();
    let (document, derived) = page(&rig, Some(0.9));
    let (_, previous) = page(&rig, Some(0.9 - 1.0 / 30.0));
    let given = EngineNumbers::Positions(previous.positions().to_vec());
    let words = matched(given.clone(), &document, &derived).words();
    assert!(words.contains("our positions of clip “swim” at 0.867 s"), "{words}");
    assert!(words.contains("one frame at 30 a second"), "{words}");
    // The clip is found even if none plays.
    let (document, derived) = page(&rig, None);
    let words = matched(given, &document, &derived).words();
    assert!(words.contains("at 0.867 s. Here no clip plays."), "{words}");
}
