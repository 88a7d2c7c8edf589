//! Random palettes and positions of engines with a mistake, computed independently in 64-bit
//! floats on generated figures. The kind of each mistake must be reported.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_skin::{ChannelTarget, TrackProperty, Trs};
use glam::{DMat4, DQuat, DVec3, Vec3};

use super::engine_model::{EngineModel, Palette, given, matrix, page, times};
use super::synthetic_rig::{Numbers, figure};
use super::{EngineNumbers, matched};

const FIGURE_COUNT: u64 = 30;

/// A figure in a random moment of its clip.
struct Scene {
    rig: Arc<Rig>,
    time_secs: f64,
    model: EngineModel,
    numbers: Numbers,
}

impl Scene {
    fn new(seed: u64) -> Self {
        let rig = figure(seed);
        let mut numbers = Numbers(seed + 3);
        // Between keys, where interpolations differ.
        let time_secs = 0.52 + 0.1 * numbers.next();
        let model = EngineModel::new(&rig, Some(time_secs));
        Self { rig, time_secs, model, numbers }
    }

    fn count(&self) -> usize {
        self.model.count
    }

    fn words_of(&self, given: EngineNumbers) -> String {
        let (document, derived) = page(&self.rig, Some(self.time_secs));
        let found = matched(given, &document, &derived);
        assert!(!found.equal, "{}", found.words());
        found.words()
    }

    fn words_of_palette(&self, palette: &[DMat4]) -> String {
        self.words_of(EngineNumbers::Matrices(given(palette)))
    }

    /// Skins the mesh. `influences` returns joints and weights of a vertex.
    fn positions(
        &self,
        palette: &[DMat4],
        influences: impl Fn(usize) -> Vec<(usize, f64)>,
    ) -> Vec<DVec3> {
        let positions = self.rig.mesh.positions.iter().enumerate();
        positions
            .map(|(vertex, position)| {
                let pairs = influences(vertex).into_iter();
                pairs
                    .map(|(joint, weight)| {
                        weight * palette[joint].transform_point3(position.as_dvec3())
                    })
                    .sum()
            })
            .collect()
    }

    fn influences(&self, vertex: usize) -> Vec<(usize, f64)> {
        let stored = self.rig.mesh.influences.get(vertex).unwrap();
        stored.used().map(|(_, joint, weight)| (joint.index(), weight.into())).collect()
    }

    fn words_of_positions(&self, positions: &[DVec3]) -> String {
        let positions: Vec<Vec3> = positions.iter().map(|position| position.as_vec3()).collect();
        self.words_of(EngineNumbers::Positions(positions))
    }

    /// The two keys of a rotation around the current time, and the fraction between them.
    fn rotation_keys(&self, joint: usize) -> Option<([DQuat; 2], f64)> {
        let channel = self.rig.clips[0].channels.iter().find(|channel| {
            channel.track.property == TrackProperty::Rotation
                && matches!(channel.target, ChannelTarget::Joint(of) if of.index() == joint)
        })?;
        let times = &channel.track.times_secs;
        let after = times.iter().position(|&time| f64::from(time) > self.time_secs)?;
        let key = |at: usize| {
            let [x, y, z, w] = *channel.track.value(at) else { panic!("a quaternion") };
            DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into())
        };
        let span = f64::from(times[after] - times[after - 1]);
        let fraction = (self.time_secs - f64::from(times[after - 1])) / span;
        Some(([key(after - 1), key(after)], fraction))
    }

    fn palette_with(&self, local: impl Fn(usize) -> DMat4) -> Palette {
        self.model.bound(&self.model.worlds(local))
    }

    fn is_joint(&self, joint: usize) -> bool {
        joint < self.count()
    }
}

/// A rotation matrix from a quaternion of any length, as engines compute it.
fn matrix_of_quaternion(rotation: DQuat, trs: Trs) -> DMat4 {
    let DQuat { x, y, z, w } = rotation;
    let columns = [
        DVec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)),
        DVec3::new(2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)),
        DVec3::new(2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)),
    ];
    let scale = trs.scale.as_dvec3();
    DMat4::from_cols(
        (columns[0] * scale.x).extend(0.0),
        (columns[1] * scale.y).extend(0.0),
        (columns[2] * scale.z).extend(0.0),
        trs.translation.as_dvec3().extend(1.0),
    )
}

/// A kind of mistake: its palette in a scene, and a phrase that the report contains.
type PaletteMistake = fn(&mut Scene) -> (Palette, &'static str);

const PALETTE_MISTAKES: [(&str, PaletteMistake); 13] = [
    ("nlerp", |scene| {
        let local = |joint: usize| {
            let trs = scene.model.local[joint];
            let Some(([from, to], t)) = scene.rotation_keys(joint) else { return matrix(trs) };
            let to = if from.dot(to) < 0.0 { -to } else { to };
            matrix_of_quaternion((from + (to - from) * t).normalize(), trs)
        };
        (scene.palette_with(local), "with nlerp between keys")
    }),
    ("lerp", |scene| {
        let local = |joint: usize| {
            let trs = scene.model.local[joint];
            let Some(([from, to], t)) = scene.rotation_keys(joint) else { return matrix(trs) };
            let to = if from.dot(to) < 0.0 { -to } else { to };
            matrix_of_quaternion(from + (to - from) * t, trs)
        };
        (scene.palette_with(local), "with lerp between keys")
    }),
    ("factor order", |scene| {
        let local = |joint: usize| {
            let trs = scene.model.local[joint];
            DMat4::from_translation(trs.translation.as_dvec3())
                * DMat4::from_scale(trs.scale.as_dvec3())
                * DMat4::from_quat(trs.rotation.as_dquat())
        };
        (scene.palette_with(local), "put together as translation · scale · rotation")
    }),
    ("no channel", |scene| {
        let local = |joint: usize| {
            let trs = scene.model.local[joint];
            let [translation, rotation, scale] = scene.model.keyed[joint];
            if !scene.is_joint(joint) {
                return matrix(trs);
            }
            matrix(Trs {
                translation: if translation { trs.translation } else { Vec3::ZERO },
                rotation: if rotation { trs.rotation } else { glam::Quat::IDENTITY },
                scale: if scale { trs.scale } else { Vec3::ONE },
            })
        };
        (scene.palette_with(local), "what the clip has no channel for is not as it rests")
    }),
    ("keys on rest", |scene| {
        let local = |joint: usize| {
            let trs = scene.model.local[joint];
            let rest = scene.model.rest[joint];
            let rotation = rest.rotation * trs.rotation;
            matrix(if scene.model.keyed[joint][1] { Trs { rotation, ..trs } } else { trs })
        };
        (
            scene.palette_with(local),
            "keys on top of the rest pose, not in its place: rest rotation × key",
        )
    }),
    ("stale parents", |scene| {
        let model = &scene.model;
        let before = model.worlds(|joint| matrix(model.previous[joint]));
        let world = (0..model.count).map(|joint| {
            let above = match model.parents[joint] {
                Some(parent) if parent < model.count => before[parent],
                Some(_) => model.above(),
                None => DMat4::IDENTITY,
            };
            above * matrix(model.local[joint])
        });
        let world: Palette = world.collect();
        (model.bound(&world), "parents are those of the frame before, at 30 frames a second")
    }),
    ("row of zeros", |scene| {
        let palette = scene.model.each(|mut one| {
            one.w_axis.w = 0.0;
            one
        });
        (palette, "The last row is 0 0 0 0")
    }),
    ("root motion", |scene| {
        let rest = scene.model.rest[0].translation;
        let local = |joint: usize| {
            let trs = scene.model.local[joint];
            matrix(if joint == 0 { Trs { translation: rest, ..trs } } else { trs })
        };
        (scene.palette_with(local), "without the root motion: “")
    }),
    ("shifted", |scene| {
        let by = 1 + scene.numbers.below(2);
        let mut palette = vec![DMat4::IDENTITY; by];
        palette.extend(scene.model.right());
        palette.truncate(scene.count());
        (palette, "the joint matrices, shifted by")
    }),
    ("one more in front", |scene| {
        let mut palette = vec![DMat4::IDENTITY];
        palette.extend(scene.model.right());
        (palette, "the joint matrices, shifted by 1")
    }),
    ("limit", |scene| {
        let mut palette = scene.model.right();
        let limit = 1 + scene.numbers.below(scene.count() - 1);
        palette[limit..].fill(DMat4::ZERO);
        (palette, "or a buffer that is not filled to its end")
    }),
    ("model matrix", |scene| {
        let more =
            DMat4::from_rotation_translation(scene.numbers.turn(2.0), scene.numbers.place(3.0));
        (scene.model.each(|one| more * one), "one transform more, after it, on the left: a turn of")
    }),
    ("armature again", |scene| {
        let above = scene.model.above();
        (scene.model.each(|one| above * one), "above the joints applied twice")
    }),
];

#[test]
fn random_palettes_with_a_mistake_are_explained() {
    let mut wrongs = Vec::new();
    for seed in 0..FIGURE_COUNT {
        for (name, mistake) in PALETTE_MISTAKES {
            let mut scene = Scene::new(seed);
            let (palette, phrase) = mistake(&mut scene);
            let words = scene.words_of_palette(&palette);
            if !words.contains(phrase) {
                wrongs.push(format!("{seed} {name}: {words}"));
            }
        }
    }
    assert!(wrongs.is_empty(), "{}\n{}", wrongs.len(), wrongs.join("\n"));
}

type PositionMistake = fn(&mut Scene) -> (Vec<DVec3>, &'static str);

const POSITION_MISTAKES: [(&str, PositionMistake); 14] = [
    ("joints plus n", |scene| {
        let by = 1 + scene.numbers.below(scene.count() - 1);
        let count = scene.count();
        let right = scene.model.right();
        let positions = scene.positions(&right, |vertex| {
            let pairs = scene.influences(vertex).into_iter();
            pairs.map(|(joint, weight)| ((joint + by) % count, weight)).collect()
        });
        (positions, "with every number of a joint")
    }),
    ("first weight undivided", |scene| {
        let right = scene.model.right();
        let positions = scene.positions(&right, |vertex| vec![scene.influences(vertex)[0]]);
        (positions, "with the first influence alone, not divided by its sum")
    }),
    ("weights as bytes", |scene| {
        let right = scene.model.right();
        let positions = scene.positions(&right, |vertex| {
            let pairs = scene.influences(vertex).into_iter();
            pairs.map(|(joint, weight)| (joint, 255.0 * weight)).collect()
        });
        (positions, "weights in bytes were taken as whole numbers")
    }),
    ("model matrix", |scene| {
        let more =
            DMat4::from_rotation_translation(scene.numbers.turn(2.0), scene.numbers.place(3.0));
        let palette = scene.model.each(|one| more * one);
        (
            scene.positions(&palette, |vertex| scene.influences(vertex)),
            "a model matrix or another node’s",
        )
    }),
    ("armature again", |scene| {
        let above = scene.model.above();
        let palette = scene.model.each(|one| above * one);
        (
            scene.positions(&palette, |vertex| scene.influences(vertex)),
            "the transform of the node “Armature” above the joints, again",
        )
    }),
    ("joints one vertex late", |scene| {
        let right = scene.model.right();
        let half = scene.rig.mesh.positions.len() / 2;
        let positions = scene.positions(&right, |vertex| {
            let source = if vertex % half == 0 { vertex } else { vertex - 1 };
            let joints = scene.influences(source).into_iter();
            let weights = scene.influences(vertex).into_iter();
            joints.zip(weights).map(|((joint, _), (_, weight))| (joint, weight)).collect()
        });
        (positions, "with the joints (JOINTS_0) of the vertex before: one element late")
    }),
    ("limit of n joints", |scene| {
        // Without the last joint alone, it is a known fault.
        let limit = 1 + scene.numbers.below(scene.count() - 2);
        let mut palette = scene.model.right();
        palette[limit..].fill(DMat4::ZERO);
        (
            scene.positions(&palette, |vertex| scene.influences(vertex)),
            "matrices, or a buffer that is not filled to its end",
        )
    }),
    ("nlerp", |scene| {
        let (palette, phrase) = PALETTE_MISTAKES[0].1(scene);
        (scene.positions(&palette, |vertex| scene.influences(vertex)), phrase)
    }),
    ("factor order", |scene| {
        let (palette, phrase) = PALETTE_MISTAKES[2].1(scene);
        (scene.positions(&palette, |vertex| scene.influences(vertex)), phrase)
    }),
    ("no channel", |scene| {
        let (palette, phrase) = PALETTE_MISTAKES[3].1(scene);
        (scene.positions(&palette, |vertex| scene.influences(vertex)), phrase)
    }),
    ("keys on rest", |scene| {
        let (palette, phrase) = PALETTE_MISTAKES[4].1(scene);
        (scene.positions(&palette, |vertex| scene.influences(vertex)), phrase)
    }),
    ("stale parents", |scene| {
        let (palette, phrase) = PALETTE_MISTAKES[5].1(scene);
        (scene.positions(&palette, |vertex| scene.influences(vertex)), phrase)
    }),
    ("root motion", |scene| {
        let (palette, phrase) = PALETTE_MISTAKES[7].1(scene);
        (scene.positions(&palette, |vertex| scene.influences(vertex)), phrase)
    }),
    ("inverse binds of the next", |scene| {
        let binds = &scene.model.inverse_bind;
        let palette = times(&scene.model.posed(), &|joint| binds[(joint + 1) % scene.count()]);
        (
            scene.positions(&palette, |vertex| scene.influences(vertex)),
            "inverse bind matrices of other joints, that of the next",
        )
    }),
];

#[test]
fn random_positions_with_a_mistake_are_explained() {
    let mut wrongs = Vec::new();
    for seed in 0..FIGURE_COUNT {
        for (name, mistake) in POSITION_MISTAKES {
            let mut scene = Scene::new(seed);
            let (positions, phrase) = mistake(&mut scene);
            let words = scene.words_of_positions(&positions);
            if !words.contains(phrase) {
                wrongs.push(format!("{seed} {name}: {words}"));
            }
        }
    }
    assert!(wrongs.is_empty(), "{}\n{}", wrongs.len(), wrongs.join("\n"));
}
