//! Palettes of engines that pose joints with a mistake: between keys, from keys to local
//! matrices, or from parents to children.

use bindpose_gltf::{ClipAt, JointRole};
use bindpose_lesson::FaultName;
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::TIME_PARAM;
use bindpose_skin::{
    ChannelTarget, Interpolation, JointIndex, Pose, RotationInterpolation, Track, TrackProperty,
    Trs, put_sample,
};
use glam::{DQuat, Mat4, Quat, Vec3};

use super::causes::{EnginePalette, MAX_NAMED_JOINTS, WrongPalette, product};
use super::comparison::joint_index;

/// Frame rates that are tried for the frame before, per second.
const FRAME_RATES: [f64; 11] = [30.0, 60.0, 24.0, 25.0, 120.0, 50.0, 15.0, 12.0, 10.0, 90.0, 144.0];
/// Maximum age in frames of a world matrix that lags behind by one frame a generation.
const MAX_LAG_FRAMES: usize = 64;

/// The three factors of a local matrix, by index into these names.
const PART_NAMES: [&str; 3] = ["translation", "rotation", "scale"];
/// Numbers of the identity of each factor.
const PART_IDENTITIES: [&str; 3] = ["0 0 0", "0 0 0 1", "1 1 1"];
/// Sets of factors, largest first, because a loader usually treats all alike.
const PART_SETS: [[bool; 3]; 7] = [
    [true, true, true],
    [true, true, false],
    [true, false, true],
    [false, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, true],
];

/// Local transforms of joints that an engine computes in its own way, with its description.
struct WrongPose {
    words: String,
    local: Vec<Mat4>,
    fault: Option<FaultName>,
}

/// The tracks of the clip that plays, by joint: translation, rotation, scale.
struct PlayingClip<'a> {
    at: ClipAt,
    tracks: Vec<[Option<&'a Track>; 3]>,
}

impl PlayingClip<'_> {
    /// Does a joint have keys of translation or rotation?
    fn is_moved(&self, joint: JointIndex) -> bool {
        let tracks = self.tracks.get(joint.index());
        tracks.is_some_and(|tracks| tracks[..2].iter().any(Option::is_some))
    }

    fn is_translated(&self, joint: JointIndex) -> bool {
        self.tracks.get(joint.index()).is_some_and(|tracks| tracks[0].is_some())
    }
}

impl EnginePalette<'_> {
    /// Returns the palettes of engines that pose joints with a mistake, by family: of those
    /// in one family, the first that fits is the simplest.
    pub(super) fn wrong_poses(&self) -> Vec<Vec<WrongPalette>> {
        let mut families = vec![self.other_factor_orders(), self.odd_scales()];
        if let Some(clip) = self.playing_clip() {
            families.extend([
                self.other_interpolations(&clip),
                self.missing_channels(&clip),
                self.keys_on_rest(&clip),
                self.root_motion_removed(&clip),
            ]);
        }
        let mut palettes: Vec<Vec<WrongPalette>> =
            families.into_iter().map(|family| self.palettes_of(family)).collect();
        palettes.push(self.stale_parents());
        palettes
    }

    fn palettes_of(&self, family: Vec<WrongPose>) -> Vec<WrongPalette> {
        family
            .into_iter()
            .map(|WrongPose { words, local, fault }| {
                let world =
                    self.walk_skeleton(&|joint| local.get(joint).copied().unwrap_or_default());
                WrongPalette { words, palette: product(&world, &self.inverse_bind), fault }
            })
            .collect()
    }

    /// Returns the only clip that plays. Returns `None` if none or several play.
    fn playing_clip(&self) -> Option<PlayingClip<'_>> {
        let rig = &self.ours.derived.rig;
        let [at] = self.ours.page.document.clips_at(rig)[..] else {
            return None;
        };
        let mut tracks = vec![[None; 3]; rig.skeleton.len()];
        for channel in &rig.clips.get(at.clip)?.channels {
            if let (ChannelTarget::Joint(joint), Some(part)) =
                (channel.target, part_of(channel.track.property))
                && let Some(tracks) = tracks.get_mut(joint.index())
            {
                tracks[part] = Some(&*channel.track);
            }
        }
        Some(PlayingClip { at, tracks })
    }

    fn pose(&self) -> &Pose {
        &self.ours.derived.joints.pose
    }

    /// Builds the pose of an engine that has another local transform for some joints.
    /// `change` returns `None` for joints whose transform is ours.
    fn changed_pose(
        &self,
        words: impl Into<String>,
        change: impl Fn(usize, Trs) -> Option<Mat4>,
    ) -> WrongPose {
        let derived = self.ours.derived;
        let locals = derived.joints.parent_from_joint.iter().zip(&self.pose().parent_from_joint);
        let local = locals
            .enumerate()
            .map(|(joint, (&matrix, &trs))| change(joint, trs).unwrap_or(matrix))
            .collect();
        WrongPose { words: words.into(), local, fault: None }
    }

    /// Returns which joints of the rig are nodes that no skin lists.
    fn helpers(&self) -> Vec<bool> {
        let roles = self.ours.derived.rig.joint_roles();
        roles.into_iter().map(|role| role == JointRole::Helper).collect()
    }

    /// Tries the orders of translation, rotation and scale, for all nodes and for joints alone.
    fn other_factor_orders(&self) -> Vec<WrongPose> {
        let helpers = self.helpers();
        let orders = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut poses = Vec::new();
        for order in orders {
            let names = order.map(|part: usize| PART_NAMES[part]).join(" · ");
            let words = format!(
                "joint matrices with local matrices put together as {names}, not translation · \
                 rotation · scale"
            );
            for with_helpers in [true, false] {
                poses.push(self.changed_pose(words.clone(), |joint, trs| {
                    let factors = [
                        Mat4::from_translation(trs.translation),
                        Mat4::from_quat(trs.rotation),
                        Mat4::from_scale(trs.scale),
                    ];
                    let [first, second, third] = order.map(|part| factors[part]);
                    (with_helpers || !is_set(&helpers, joint)).then(|| first * second * third)
                }));
            }
        }
        poses
    }

    /// Tries scales that joints do not pass on, and scales of a single number.
    fn odd_scales(&self) -> Vec<WrongPose> {
        let joints = self.ours.derived.rig.skeleton.joints();
        let helpers = self.helpers();
        let locals = &self.pose().parent_from_joint;
        vec![
            self.changed_pose(
                "joint matrices in which a joint’s scale does not reach its children (segment \
                 scale compensation, as in Maya)",
                |joint, trs| {
                    let parent = joints.get(joint)?.parent?.index();
                    let above = locals.get(parent).filter(|_| !is_set(&helpers, parent))?;
                    let rotated = Mat4::from_quat(trs.rotation) * Mat4::from_scale(trs.scale);
                    let undone = Mat4::from_scale(above.scale.recip());
                    Some(Mat4::from_translation(trs.translation) * undone * rotated)
                },
            ),
            self.changed_pose(
                "joint matrices with the scale in x for all three axes of a joint",
                |_, trs| Some(Trs { scale: Vec3::splat(trs.scale.x), ..trs }.matrix()),
            ),
        ]
    }

    /// Tries other ways from key to key than the one that glTF asks for.
    fn other_interpolations(&self, clip: &PlayingClip<'_>) -> Vec<WrongPose> {
        BetweenKeys::ALL
            .into_iter()
            .map(|between| {
                self.changed_pose(format!("joint matrices {}", between.words()), |joint, trs| {
                    let mut changed = trs;
                    for track in clip.tracks.get(joint)?.iter().flatten() {
                        let value = between.sample(track, clip.at.time_secs)?;
                        put_sample(&mut changed, track.property, &value);
                    }
                    Some(changed.matrix())
                })
            })
            .collect()
    }

    /// Tries the identity for properties without a channel, for all nodes and for joints
    /// alone.
    fn missing_channels(&self, clip: &PlayingClip<'_>) -> Vec<WrongPose> {
        let helpers = self.helpers();
        let mut poses = Vec::new();
        for parts in PART_SETS {
            let words = format!(
                "joint matrices in which what the clip has no channel for is not as it rests but \
                 {}",
                list_parts(parts, |part| format!(
                    "{} for {}",
                    PART_IDENTITIES[part], PART_NAMES[part]
                ))
            );
            for with_helpers in [true, false] {
                let mut pose = self.changed_pose(words.clone(), |joint, trs| {
                    let tracks = clip.tracks.get(joint)?;
                    if !with_helpers && is_set(&helpers, joint) {
                        return None;
                    }
                    let changed = with_parts(trs, Trs::IDENTITY, |part| {
                        parts[part] && tracks[part].is_none()
                    });
                    Some(changed.matrix())
                });
                pose.fault = FaultName::from_id("missing-channel-identity");
                poses.push(pose);
            }
        }
        let mut pose = self.changed_pose(
            "joint matrices in which a joint without any channel has the identity for a local \
             matrix, not as it rests",
            |joint, _| {
                let is_still = clip.tracks.get(joint)?.iter().all(Option::is_none);
                (is_still && !is_set(&helpers, joint)).then_some(Mat4::IDENTITY)
            },
        );
        pose.fault = FaultName::from_id("missing-channel-identity");
        poses.push(pose);
        poses
    }

    /// Tries keys that are applied on top of the rest pose.
    fn keys_on_rest(&self, clip: &PlayingClip<'_>) -> Vec<WrongPose> {
        let rest = self.ours.derived.rig.skeleton.rest_pose().parent_from_joint;
        let fault = FaultName::from_id("keys-as-changes");
        let mut poses = Vec::new();
        for parts in PART_SETS {
            for is_rest_first in [true, false] {
                let words = list_parts(parts, |part| {
                    let name = PART_NAMES[part];
                    match (part, is_rest_first) {
                        (0, _) => format!("rest {name} + key"),
                        (_, true) => format!("rest {name} × key"),
                        (_, false) => format!("key × rest {name}"),
                    }
                });
                let mut pose = self.changed_pose(
                    format!("joint matrices with keys on top of the rest pose, not in its place: {words}"),
                    |joint, key| {
                        let tracks = clip.tracks.get(joint)?;
                        let rest = *rest.get(joint)?;
                        let on_rest = Trs {
                            translation: rest.translation + key.translation,
                            rotation: if is_rest_first {
                                rest.rotation * key.rotation
                            } else {
                                key.rotation * rest.rotation
                            },
                            scale: rest.scale * key.scale,
                        };
                        let changed = with_parts(key, on_rest, |part| {
                            parts[part] && tracks[part].is_some()
                        });
                        Some(changed.matrix())
                    },
                );
                pose.fault = fault;
                poses.push(pose);
            }
        }
        for is_rest_first in [true, false] {
            let order = if is_rest_first { "rest × keys" } else { "keys × rest" };
            let mut pose = self.changed_pose(
                format!(
                    "joint matrices with the matrix of the keys on top of the rest matrix, not in \
                     its place: {order}"
                ),
                |joint, key| {
                    let tracks = clip.tracks.get(joint)?;
                    let keys =
                        with_parts(Trs::IDENTITY, key, |part| tracks[part].is_some()).matrix();
                    let rest = rest.get(joint)?.matrix();
                    Some(if is_rest_first { rest * keys } else { keys * rest })
                },
            );
            pose.fault = fault;
            poses.push(pose);
        }
        poses
    }

    /// Tries a root whose keys are not played, or whose motion is taken out in part.
    fn root_motion_removed(&self, clip: &PlayingClip<'_>) -> Vec<WrongPose> {
        let rig = &self.ours.derived.rig;
        let rest = rig.skeleton.rest_pose().parent_from_joint;
        let mut poses = Vec::new();
        for joint in self.topmost_moved_joints(clip) {
            let (Some(&rest), Some(tracks)) = (rest.get(joint), clip.tracks.get(joint)) else {
                continue;
            };
            let name = format!("“{}”", self.joint_name(joint));
            let first_keys = with_first_key(with_first_key(rest, tracks[1]), tracks[0]);
            let stays = [
                (rest, "at rest"),
                (Trs::IDENTITY, "at 0"),
                (first_keys, "where its first key has it"),
            ];
            for (stay, place) in stays {
                if tracks[0].is_some() {
                    for (kept, axes) in [
                        (Vec3::ZERO, ""),
                        (Vec3::Y, " in x and z"),
                        (Vec3::Z, " in x and y"),
                        (Vec3::new(1.0, 0.0, 1.0), " in y"),
                        (Vec3::new(1.0, 1.0, 0.0), " in z"),
                        (Vec3::new(0.0, 1.0, 1.0), " in x"),
                    ] {
                        poses.push(self.changed_pose(
                            format!(
                                "joint matrices without the root motion: {name} stays {place}{axes}, \
                                 its keys of translation{axes} are not played"
                            ),
                            |at, trs| {
                                let translation =
                                    kept * trs.translation + (Vec3::ONE - kept) * stay.translation;
                                (at == joint).then(|| Trs { translation, ..trs }.matrix())
                            },
                        ));
                    }
                }
                if tracks[1].is_some() {
                    poses.push(self.changed_pose(
                        format!(
                            "joint matrices without the turns of the root: the rotation of {name} \
                             stays {place}, its keys of rotation are not played"
                        ),
                        |at, trs| {
                            let rotation = stay.rotation;
                            (at == joint).then(|| Trs { rotation, ..trs }.matrix())
                        },
                    ));
                }
                if tracks[0].is_some() && tracks[1].is_some() {
                    poses.push(self.changed_pose(
                        format!(
                            "joint matrices without the root motion: {name} stays {place}, its \
                             keys of translation and rotation are not played"
                        ),
                        |at, trs| {
                            let Trs { translation, rotation, .. } = stay;
                            (at == joint).then(|| Trs { translation, rotation, ..trs }.matrix())
                        },
                    ));
                }
            }
        }
        poses
    }

    /// Returns joints with keys whose ancestors have none, the parts of root motion.
    fn topmost_moved_joints(&self, clip: &PlayingClip<'_>) -> Vec<usize> {
        let skeleton = &self.ours.derived.rig.skeleton;
        let mut topmost = Vec::new();
        for joint in skeleton.indices() {
            let is_topmost = clip.is_moved(joint)
                && !skeleton.ancestors(joint).any(|above| clip.is_moved(above));
            let is_topmost_translated = clip.is_translated(joint)
                && !skeleton.ancestors(joint).any(|above| clip.is_translated(above));
            if is_topmost || is_topmost_translated {
                topmost.push(joint.index());
            }
        }
        topmost.truncate(MAX_NAMED_JOINTS);
        topmost
    }

    /// Tries children that are computed from the world matrices that their parents had in
    /// the frame before.
    fn stale_parents(&self) -> Vec<WrongPalette> {
        let Some(clip) = self.playing_clip() else {
            return Vec::new();
        };
        let mut palettes = Vec::new();
        for rate in FRAME_RATES {
            let age_secs = 1.0 / rate;
            let time_secs = clip.at.time_secs;
            if time_secs < age_secs {
                continue;
            }
            let before = self.local_matrices_at(time_secs - age_secs);
            let world_before = self.skeleton_worlds(&|joint| before[joint]);
            let now = &self.ours.derived.joints.parent_from_joint;
            let joints = self.ours.derived.rig.skeleton.joints();
            let mut world = Vec::new();
            for &joint in &self.ours.rows {
                let own = now.get(joint).copied().unwrap_or_default();
                let parent = joints.get(joint).and_then(|joint| joint.parent);
                let above = parent.and_then(|parent| world_before.get(parent.index()));
                world.push(above.copied().unwrap_or_default() * own);
            }
            let rate = fixed(rate, 0);
            palettes.push(WrongPalette::new(
                format!(
                    "joint matrices of children whose parents are those of the frame before, at \
                     {rate} frames a second: world matrices of parents are out of date"
                ),
                product(&world, &self.inverse_bind),
            ));
            palettes.push(WrongPalette::new(
                format!(
                    "joint matrices that lag behind by one frame a generation, at {rate} frames a \
                     second: each is computed from its parent’s matrix of the frame before"
                ),
                product(&self.lagging_worlds(time_secs, age_secs), &self.inverse_bind),
            ));
        }
        palettes
    }

    /// Computes world matrices by row in which a joint of generation g is multiplied with
    /// its ancestor n generations up as it was n frames ago.
    fn lagging_worlds(&self, time_secs: f64, age_secs: f64) -> Vec<Mat4> {
        let skeleton = &self.ours.derived.rig.skeleton;
        let mut frames: Vec<Vec<Mat4>> = Vec::new();
        let mut world = Vec::new();
        for joint in self.ours.rows.iter().filter_map(|&joint| joint_index(joint)) {
            let mut product = Mat4::IDENTITY;
            let path = std::iter::once(joint).chain(skeleton.ancestors(joint));
            for (age, joint) in path.take(MAX_LAG_FRAMES).enumerate() {
                while frames.len() <= age {
                    let then_secs = (time_secs - age_secs * frames.len() as f64).max(0.0);
                    frames.push(self.local_matrices_at(then_secs));
                }
                let local = frames[age].get(joint.index()).copied().unwrap_or_default();
                product = local * product;
            }
            world.push(product);
        }
        world
    }

    /// Computes the local matrices of all joints at another time of the clip.
    fn local_matrices_at(&self, time_secs: f64) -> Vec<Mat4> {
        let page = self.ours.page;
        let mut document = page.document.clone();
        document.state.playback.repeats = false;
        document.state.params.insert(TIME_PARAM.to_owned(), time_secs);
        page.derived.of_other(&document, page.lesson.as_ref()).joints.parent_from_joint
    }
}

fn is_set(flags: &[bool], index: usize) -> bool {
    flags.get(index) == Some(&true)
}

/// Returns the index into [`PART_NAMES`].
fn part_of(property: TrackProperty) -> Option<usize> {
    match property {
        TrackProperty::Translation => Some(0),
        TrackProperty::Rotation => Some(1),
        TrackProperty::Scale => Some(2),
        TrackProperty::Weights => None,
    }
}

/// Replaces those parts of a transform that `is_replaced` names.
fn with_parts(own: Trs, other: Trs, is_replaced: impl Fn(usize) -> bool) -> Trs {
    Trs {
        translation: if is_replaced(0) { other.translation } else { own.translation },
        rotation: if is_replaced(1) { other.rotation } else { own.rotation },
        scale: if is_replaced(2) { other.scale } else { own.scale },
    }
}

/// Replaces what a track animates by its first key.
fn with_first_key(mut trs: Trs, track: Option<&Track>) -> Trs {
    if let Some(track) = track {
        let mut value = Vec::new();
        track.sample(f64::NEG_INFINITY, &mut value);
        put_sample(&mut trs, track.property, &value);
    }
    trs
}

fn list_parts(parts: [bool; 3], words: impl Fn(usize) -> String) -> String {
    let listed: Vec<String> = (0..3).filter(|&part| parts[part]).map(words).collect();
    listed.join(", ")
}

/// A way from key to key that glTF does not ask for.
#[derive(Clone, Copy)]
enum BetweenKeys {
    /// Quaternions in a straight line, made unit.
    Nlerp,
    /// Quaternions in a straight line, not made unit.
    Lerp,
    /// The same without choosing the shorter arc.
    LerpAsStored,
    NlerpAsStored,
    HoldBefore,
    HoldNext,
    HoldNearest,
    /// Splines as straight lines between their values.
    SplineAsLines,
    /// Splines whose tangents are not multiplied by the time between keys.
    UnscaledTangents,
}

impl BetweenKeys {
    const ALL: [Self; 9] = [
        Self::Nlerp,
        Self::Lerp,
        Self::NlerpAsStored,
        Self::LerpAsStored,
        Self::HoldBefore,
        Self::HoldNext,
        Self::HoldNearest,
        Self::SplineAsLines,
        Self::UnscaledTangents,
    ];

    fn words(self) -> &'static str {
        match self {
            Self::Nlerp => {
                "with nlerp between keys, not slerp: quaternions go in a straight line and are \
                 made unit"
            }
            Self::Lerp => {
                "with lerp between keys, not slerp: quaternions go in a straight line and are not \
                 made unit"
            }
            Self::NlerpAsStored => {
                "with nlerp between keys, not slerp, and not the shorter way: the signs of \
                 quaternions are as stored"
            }
            Self::LerpAsStored => {
                "with lerp between keys, not slerp, and not the shorter way: quaternions are not \
                 made unit, and their signs are as stored"
            }
            Self::HoldBefore => "that hold each key until the next: nothing is between keys",
            Self::HoldNext => "of the next key: nothing is between keys",
            Self::HoldNearest => "of the nearest key: nothing is between keys",
            Self::SplineAsLines => {
                "with the values of splines (CUBICSPLINE) joined by straight lines: tangents are \
                 not used"
            }
            Self::UnscaledTangents => {
                "with tangents of splines (CUBICSPLINE) that are not multiplied by the time \
                 between two keys"
            }
        }
    }

    /// Samples a track. Returns `None` if it has no keys.
    fn sample(self, track: &Track, time_secs: f64) -> Option<Vec<f64>> {
        let keys = KeySpan::new(track, time_secs)?;
        let is_spline = track.interpolation == Interpolation::CubicSpline;
        let is_linear_rotation = track.interpolation == Interpolation::Linear
            && track.property == TrackProperty::Rotation;
        let mut ours = Vec::new();
        track.sample(time_secs, &mut ours);
        Some(match self {
            Self::Nlerp if is_linear_rotation => {
                track.sample_by(RotationInterpolation::Nlerp, time_secs, &mut ours);
                ours
            }
            Self::Lerp | Self::NlerpAsStored | Self::LerpAsStored if is_linear_rotation => {
                let [from, mut to] = keys.rotations(track);
                if matches!(self, Self::Lerp) && from.dot(to) < 0.0 {
                    to = -to;
                }
                let between = from + (to - from) * keys.fraction;
                let is_unit = matches!(self, Self::NlerpAsStored) && between.length() > 1e-9;
                let between = if is_unit { between.normalize() } else { between };
                between.to_array().to_vec()
            }
            Self::HoldBefore => key_value(track, keys.before),
            Self::HoldNearest if keys.fraction < 0.5 => key_value(track, keys.before),
            Self::HoldNext | Self::HoldNearest => key_value(track, keys.after),
            Self::SplineAsLines if is_spline => keys.line(track),
            Self::UnscaledTangents if is_spline => keys.spline_without_time(track),
            _ => ours,
        })
    }
}

fn key_value(track: &Track, key: usize) -> Vec<f64> {
    track.value(key).iter().map(|&number| f64::from(number)).collect()
}

/// The two keys around a time. Before the first and after the last key, both are that key.
struct KeySpan {
    before: usize,
    after: usize,
    /// From 0 at the first key to 1 at the second.
    fraction: f64,
}

impl KeySpan {
    fn new(track: &Track, time_secs: f64) -> Option<Self> {
        let times = track.key_times();
        let last = times.len().checked_sub(1)?;
        let after = times.partition_point(|&key| f64::from(key) <= time_secs);
        let before = after.saturating_sub(1);
        let after = if after == 0 { 0 } else { after.min(last) };
        let start = f64::from(times[before]);
        let span = f64::from(times[after]) - start;
        let fraction = if span > 0.0 { (time_secs - start) / span } else { 0.0 };
        Some(Self { before, after, fraction })
    }

    fn rotations(&self, track: &Track) -> [DQuat; 2] {
        [self.before, self.after].map(|key| match *track.value(key) {
            [x, y, z, w] => Quat::from_xyzw(x, y, z, w).as_dquat().normalize(),
            _ => DQuat::IDENTITY,
        })
    }

    /// Interpolates the values of the keys without their tangents.
    fn line(&self, track: &Track) -> Vec<f64> {
        if track.property == TrackProperty::Rotation {
            let [from, to] = self.rotations(track);
            return RotationInterpolation::Slerp
                .rotation(from, to, self.fraction)
                .to_array()
                .to_vec();
        }
        let pairs = key_value(track, self.before).into_iter().zip(key_value(track, self.after));
        pairs.map(|(from, to)| from + (to - from) * self.fraction).collect()
    }

    /// Evaluates the Hermite spline with tangents as if a second lay between the keys.
    fn spline_without_time(&self, track: &Track) -> Vec<f64> {
        let from = key_value(track, self.before);
        let to = key_value(track, self.after);
        let (Some([_, leaving]), Some([arriving, _])) =
            (track.tangents(self.before), track.tangents(self.after))
        else {
            return from;
        };
        let t = self.fraction;
        let t2 = t * t;
        let t3 = t2 * t;
        let mut value: Vec<f64> = (0..from.len())
            .map(|at| {
                (2.0 * t3 - 3.0 * t2 + 1.0) * from[at]
                    + (t3 - 2.0 * t2 + t) * f64::from(leaving[at])
                    + (3.0 * t2 - 2.0 * t3) * to[at]
                    + (t3 - t2) * f64::from(arriving[at])
            })
            .collect();
        let length = value.iter().map(|x| x * x).sum::<f64>().sqrt();
        if track.property == TrackProperty::Rotation && length > 1e-9 {
            for number in &mut value {
                *number /= length;
            }
        }
        value
    }
}
