//! A program that poses: rig, parameters and time in, local transforms out.

use std::cell::{Cell, RefCell};

use glam::{DMat3, DMat4, DQuat, DVec3, Mat4, Vec3};

use super::TIME;
use super::joint_name::joint_in_formula;
use super::param_values::ParamValues;
use crate::asset::{Posed, Rig};
use crate::lesson::{MatrixKind, Moves, Program, Run, Values};
use crate::skin::{JointIndex, Pose, Surface, Trs};

/// What programs call the time too.
const T: &str = "t";

/// Runs it and puts what it moved into the pose: a joint that it moves begins at rest,
/// the others stay as they were posed. Where it stops before its end, what it had done
/// stays.
pub(super) fn pose(
    program: &Program,
    rig: &Rig,
    posed: &mut Posed,
    values: &ParamValues<'_>,
) -> Run {
    let rest = rig.posed_at_rest(|name| values.get(name)).pose;
    let joints = rig.skeleton.indices();
    let locals = joints.map(|joint| Local::of_pose(&posed.pose, joint));
    let page = ProgramPage {
        rig,
        param: &|name| match (name, values.named(name)) {
            (T | TIME, None) => Some(values.time_secs()),
            (_, known) => known,
        },
        joint_from_bind: &posed.joint_from_bind,
        rest: &rest,
        locals: RefCell::new(locals.collect()),
        depth: Cell::new(None),
    };
    let run = program.run(&page, &page);
    let locals = page.locals.into_inner();
    for (joint, local) in rig.skeleton.indices().zip(locals) {
        if local.moved {
            local.put_into(&mut posed.pose, joint);
        }
    }
    run
}

/// The local transform of a joint, as the program has made it so far.
#[derive(Clone, Copy)]
struct Local {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
    /// What is applied after the rotation, in the axes of the parent: of a matrix that
    /// is no rotation with a scale.
    stretch: DMat3,
    moved: bool,
}

impl Local {
    fn of_pose(pose: &Pose, joint: JointIndex) -> Self {
        let trs = pose.parent_from_joint.get(joint.index());
        let trs = trs.copied().unwrap_or_default();
        let stretch = pose.stretch_in_parent.get(&joint);
        Self {
            translation: trs.translation.as_dvec3(),
            rotation: trs.rotation.as_dquat().normalize(),
            scale: trs.scale.as_dvec3(),
            stretch: stretch.map_or(DMat3::IDENTITY, |stretch| stretch.as_dmat3()),
            moved: false,
        }
    }

    /// Taken apart, where it can be put together again.
    fn of_matrix(matrix: DMat4) -> Self {
        let translation = matrix.w_axis.truncate();
        let linear = DMat3::from_mat4(matrix);
        let (scale, rotation, _) = matrix.to_scale_rotation_translation();
        let whole = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
        let size = linear.x_axis.length() + linear.y_axis.length() + linear.z_axis.length();
        if rotation.is_normalized() && whole.abs_diff_eq(linear, 1e-9 * size) {
            return Self {
                translation,
                rotation,
                scale,
                stretch: DMat3::IDENTITY,
                moved: true,
            };
        }
        Self {
            translation,
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
            stretch: linear,
            moved: true,
        }
    }

    fn matrix(&self) -> DMat4 {
        let linear =
            self.stretch * DMat3::from_quat(self.rotation) * DMat3::from_diagonal(self.scale);
        let mut matrix = DMat4::from_mat3(linear);
        matrix.w_axis = self.translation.extend(1.0);
        matrix
    }

    fn put_into(&self, pose: &mut Pose, joint: JointIndex) {
        let finite = self.matrix().as_mat4().is_finite();
        if let Some(trs) = pose.parent_from_joint.get_mut(joint.index())
            && finite
        {
            *trs = Trs {
                translation: self.translation.as_vec3(),
                rotation: self.rotation.as_quat().normalize(),
                scale: self.scale.as_vec3(),
            };
            if self.stretch == DMat3::IDENTITY {
                pose.stretch_in_parent.remove(&joint);
            } else {
                let stretch = self.stretch.as_mat3();
                pose.stretch_in_parent.insert(joint, stretch);
            }
        }
    }
}

/// What a program sees while it poses: the joints as it has moved them so far, and
/// nothing of the mesh but where it is stored.
struct ProgramPage<'a> {
    rig: &'a Rig,
    param: &'a dyn Fn(&str) -> Option<f64>,
    joint_from_bind: &'a [Mat4],
    rest: &'a Pose,
    locals: RefCell<Vec<Local>>,
    depth: Cell<Option<u32>>,
}

impl ProgramPage<'_> {
    fn change(&self, joint: JointIndex, change: impl FnOnce(&mut Local)) {
        let mut locals = self.locals.borrow_mut();
        if let Some(local) = locals.get_mut(joint.index()) {
            if !local.moved {
                *local = Local::of_pose(self.rest, joint);
                local.moved = true;
            }
            change(local);
        }
    }

    fn parent_from_joint(&self, joint: JointIndex) -> Option<DMat4> {
        self.locals.borrow().get(joint.index()).map(Local::matrix)
    }

    fn world_from_joint(&self, joint: JointIndex) -> Option<DMat4> {
        let mut world_from_joint = self.parent_from_joint(joint)?;
        let mut next = self.parent(joint);
        while let Some(parent) = next {
            world_from_joint = self.parent_from_joint(parent)? * world_from_joint;
            next = self.parent(parent);
        }
        Some(world_from_joint)
    }
}

impl Moves for ProgramPage<'_> {
    fn rotate(&self, joint: JointIndex, rotation: DQuat) {
        self.change(joint, |local| {
            local.rotation = (local.rotation * rotation).normalize();
        });
    }

    fn translate(&self, joint: JointIndex, by: DVec3) {
        self.change(joint, |local| local.translation += by);
    }

    fn scale(&self, joint: JointIndex, by: DVec3) {
        self.change(joint, |local| local.scale *= by);
    }

    fn put_local(&self, joint: JointIndex, parent_from_joint: DMat4) {
        self.change(joint, |local| *local = Local::of_matrix(parent_from_joint));
    }

    fn depth(&self) -> u32 {
        let depth = self.depth.get().unwrap_or_else(|| {
            let mut depths = vec![0_u32; self.rig.skeleton.len()];
            for joint in self.rig.skeleton.walk() {
                let parent = self.parent(joint);
                depths[joint.index()] = 1 + parent.map_or(0, |parent| depths[parent.index()]);
            }
            depths.into_iter().max().unwrap_or(0)
        });
        self.depth.set(Some(depth));
        depth
    }
}

impl Values for ProgramPage<'_> {
    fn param(&self, name: &str) -> Option<f64> {
        (self.param)(name)
    }

    fn matrix(&self, kind: MatrixKind, joint: JointIndex) -> Option<Mat4> {
        let joint_from_bind = self.joint_from_bind.get(joint.index()).copied();
        match kind {
            MatrixKind::ParentFromJoint => self.parent_from_joint(joint).map(|mat| mat.as_mat4()),
            MatrixKind::WorldFromJoint => self.world_from_joint(joint).map(|mat| mat.as_mat4()),
            MatrixKind::JointFromBind | MatrixKind::StoredJointFromBind => joint_from_bind,
            MatrixKind::WorldFromBind => {
                let world_from_joint = self.world_from_joint(joint)?.as_mat4();
                Some(world_from_joint * joint_from_bind?)
            }
        }
    }

    fn joint_named(&self, name: &str) -> Option<JointIndex> {
        joint_in_formula(name, self.rig)
    }

    fn joints(&self) -> usize {
        self.rig.joint_count()
    }

    fn rows(&self) -> usize {
        self.rig.skeleton.len()
    }

    fn vertices(&self) -> usize {
        self.rig.mesh.positions.len()
    }

    fn crowd(&self) -> u32 {
        1
    }

    fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.rig.skeleton.joints().get(joint.index())?.parent
    }

    // What follows is not there before the pose is; programs that ask for it are
    // refused where they are read.

    fn position(&self, _: usize) -> Option<Vec3> {
        None
    }

    fn bind_position(&self, _: usize) -> Option<Vec3> {
        None
    }

    fn normal(&self, _: usize) -> Option<Vec3> {
        None
    }

    fn stored_normal(&self, _: usize) -> Option<Vec3> {
        None
    }

    fn weight(&self, _: usize, _: JointIndex) -> Option<f64> {
        None
    }

    fn sum(&self, _: usize) -> Option<f64> {
        None
    }

    fn surface(&self) -> Option<Surface> {
        None
    }

    fn stored_surface(&self) -> Option<Surface> {
        None
    }

    fn skin_matrix(&self, _: usize) -> Option<Mat4> {
        None
    }

    fn world_from_mesh_node(&self) -> Option<Mat4> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::builtin;
    use crate::lesson::{EvalError, Lesson, LessonSet};
    use crate::notebook::{Derived, Document, Edit, apply, step_document};
    use crate::skin::reference;

    fn lesson(rig: &str, program: &str) -> Lesson {
        let text = format!(
            "+++\ntitle = \"t\"\nminutes = 5\nrig = \"{rig}\"\n[params.a]\nlabel = \"a\"\n\
             default = 0.4\nrange = [0.0, 2.0]\n+++\n## One\n```pose mover\nprogram = \"\"\"\n\
             {program}\n\"\"\"\n```\n"
        );
        let set = LessonSet::from_memory(&[("10-one", &text, "notes")], "");
        let lesson = set.lessons.into_iter().next().unwrap();
        assert!(lesson.findings.is_empty(), "{:?}", lesson.findings);
        lesson
    }

    fn derived_of(document: &Document, lesson: &Lesson) -> Derived {
        let rig = builtin(&lesson.rig).unwrap();
        let influences = Derived::edited_influences(document, &rig);
        Derived::new(document, Some(lesson), &rig, influences)
    }

    fn derived(rig: &str, program: &str) -> Derived {
        let lesson = lesson(rig, program);
        derived_of(&step_document(&lesson, 0, None), &lesson)
    }

    /// Published in the article on the grid, and computed again elsewhere.
    const BENT: [[f32; 2]; 8] = [
        [1.513, 1.260],
        [2.620, -0.358],
        [2.967, 2.254],
        [4.402, 0.861],
        [4.587, 3.307],
        [6.237, 2.248],
        [5.539, 4.789],
        [7.403, 4.065],
    ];

    #[test]
    fn the_grid_bends_to_the_golden_numbers_by_every_way_to_write_it() {
        for program in [
            "for j in joints { rotate_z(j, a) }",
            "rotate_z(b0, a); rotate_z(b1, a); rotate_z(b2, a)",
            "for j in joints {\n  m = rotate_z(a)\n  if has_parent(j) { m = translate(4, 0, 0) * m }\n\
             set_local(j, m)\n}",
            "for j in joints { rotate(j, axis_angle(vec3(0, 0, 1), a)) }",
            "w = identity()\nfor j in joints {\n  rotate_z(j, a)\n  w = w * local(j)\n  \
             if length((w - world(j)) * vec4(1, 1, 1, 1)) > 0 { scale(j, 0) }\n}",
        ] {
            let derived = derived("bone_grid", program);
            assert_eq!(
                derived.program_run.as_ref().unwrap().error,
                None,
                "{program}"
            );
            assert_eq!(derived.program_run.as_ref().unwrap().seams, [], "{program}");
            for (vertex, [x, y]) in (2..).zip(BENT) {
                let found = derived.position(vertex).unwrap();
                let near = (found.x - x).abs() < 1e-3 && (found.y - y).abs() < 1e-3;
                assert!(near, "v{vertex} {found}: {program}");
            }
        }
    }

    #[test]
    fn what_a_program_moves_begins_at_rest_and_the_rest_follows_the_page() {
        let lesson = lesson("bone_grid", "rotate_z(b1, 0.5)");
        let rig = builtin("bone_grid").unwrap();
        let mut document = step_document(&lesson, 0, Some(&rig));
        for name in ["b0", "b1"] {
            apply(&mut document, &Edit::param(name, 1.0), &lesson, &rig).unwrap();
        }
        let derived = derived_of(&document, &lesson);
        let angle = |joint: usize| {
            let axis = derived.parent_from_joint[joint].x_axis;
            axis.y.atan2(axis.x)
        };
        assert!((angle(0) - 1.0).abs() < 1e-6 && (angle(1) - 0.5).abs() < 1e-6);
        assert_eq!(angle(2), 0.0);
    }

    #[test]
    fn time_comes_by_play_and_any_matrix_is_kept_as_it_is() {
        let source = "rotate_z(b1, t * 2)\n\
                      set_local(b2, mat4(1, 2, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))";
        let lesson = lesson("bone_grid", source);
        let rig = builtin("bone_grid").unwrap();
        let mut document = step_document(&lesson, 0, Some(&rig));
        let edit = Edit::PlayTo {
            time_secs: 0.25,
            begins: true,
        };
        apply(&mut document, &edit, &lesson, &rig).unwrap();
        let derived = derived_of(&document, &lesson);
        assert!((derived.parent_from_joint[1].x_axis.y - 0.5_f32.sin()).abs() < 1e-6);
        let sheared = derived.parent_from_joint[2];
        assert_eq!(sheared.y_axis.truncate().to_array(), [2.0, 1.0, 0.0]);
        assert_eq!(sheared.z_axis.truncate().to_array(), [0.0, 0.0, 0.0]);
        assert_eq!(sheared.w_axis.to_array(), [4.0, 0.0, 0.0, 1.0]);
        let world_from_joint = derived.world_from_joint[1] * sheared;
        assert!(derived.world_from_joint[2].abs_diff_eq(world_from_joint, 1e-6));
        let late = Edit::PlayTo {
            time_secs: f64::NAN,
            begins: false,
        };
        assert!(apply(&mut document, &late, &lesson, &rig).is_err());
    }

    #[test]
    fn a_program_that_stops_leaves_finite_joints_and_says_where() {
        let derived = derived(
            "bone_grid",
            "rotate_z(b1, 0.5)\nscale(b2, 10^300); scale(b2, 10^300)\nrotate_z(b0, 1/(a - 0.4))",
        );
        let error = derived
            .program_run
            .as_ref()
            .unwrap()
            .error
            .as_ref()
            .unwrap();
        assert_eq!((error.at.line, error.at.column), (3, 15));
        assert!(matches!(error.error, EvalError::DivisionByZero { .. }));
        assert!(derived.world_from_joint.iter().all(Mat4::is_finite));
        assert!((derived.parent_from_joint[1].x_axis.y - 0.5_f32.sin()).abs() < 1e-6);
    }

    #[test]
    fn a_loop_over_every_joint_of_a_long_chain_ends_and_agrees_with_the_reference() {
        let derived = derived(
            "centipede",
            "for j in joints { rotate_y(j, 0.01 * j); scale(j, 1.01); translate(j, 0, 0.01, 0) }",
        );
        assert_eq!(derived.program_run.as_ref().unwrap().error, None);
        let joints = derived.rig.skeleton.joints();
        let parents: Vec<_> = joints.iter().map(|joint| joint.parent).collect();
        let locals = derived.pose.parent_from_joint.iter();
        let locals: Vec<_> = locals.map(reference::parent_from_joint).collect();
        for joint in derived.rig.skeleton.indices() {
            let expected = reference::world_from_joint(joint, &parents, &locals);
            let found = derived.world_from_joint[joint.index()].as_dmat4();
            let size = expected.w_axis.truncate().length().max(1.0);
            assert!(found.abs_diff_eq(expected, 1e-4 * size), "{joint:?}");
        }
    }

    #[test]
    fn a_crowd_is_posed_alike_and_formulas_of_the_page_read_the_same_time() {
        let lesson = lesson("arm", "rotate_z(1, t)");
        let rig = builtin("arm").unwrap();
        let mut document = step_document(&lesson, 0, Some(&rig));
        document.state.crowd.count = 3;
        document.state.crowd.own_poses = true;
        let edit = Edit::PlayTo {
            time_secs: 0.75,
            begins: true,
        };
        apply(&mut document, &edit, &lesson, &rig).unwrap();
        let derived = derived_of(&document, &lesson);
        let palettes = derived.crowd().unwrap().palettes.clone();
        assert_eq!(palettes.len(), 3 * derived.palette.len());
        assert_eq!(palettes[derived.palette.len()..][..2], derived.palette[..2]);
        for source in ["t", "time"] {
            let value = crate::lesson::Expr::parse(source).unwrap().eval(&derived);
            assert_eq!(value, Ok(0.75), "{source}");
        }
    }
}
