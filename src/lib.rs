//! Bindpose, an interactive notebook that teaches vertex skinning.
//!
//! | module | is |
//! | --- | --- |
//! | [`diagnostic`] | what is wrong: code, place, expected, found, help |
//! | [`shipped`] | the files that come with the program, at once or later |
//! | [`skin`] | the maths |
//! | [`asset`] | bytes to checked models |
//! | [`lesson`] | text to lessons |
//! | [`notebook`] | the open notebook: document, what follows from it, commands |
//! | [`handout`] | lessons as HTML, to print and to read |
//! | `site` | the notebook as a folder of web pages, or as one |
//! | [`render`] | three-d: the viewport's pictures |
//! | [`ui`] | egui: the page |
//! | [`app`] | joins them to a program |
//! | `cli` | the command line |
//!
//! # Conventions
//!
//! Space is right-handed, y points up, and angles are in radians. A positive turn
//! about z takes x to y:
//!
//! ```
//! use glam::{Quat, Vec3};
//!
//! assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
//! let turned = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2 as f32) * Vec3::X;
//! assert!(turned.abs_diff_eq(Vec3::Y, 1e-6));
//! ```
//!
//! Vectors are columns, and matrices are stored column by column: the last four
//! numbers say where the origin goes.
//!
//! ```
//! use bindpose::skin::Trs;
//! use glam::{Mat4, Vec3};
//!
//! let parent_from_joint: Mat4 = Trs::at(Vec3::new(1.0, 2.0, 3.0)).matrix();
//! assert_eq!(parent_from_joint.to_cols_array()[12..], [1.0, 2.0, 3.0, 1.0]);
//! let origin_in_parent = parent_from_joint.transform_point3(Vec3::ZERO);
//! assert_eq!(origin_in_parent, Vec3::new(1.0, 2.0, 3.0));
//! ```
//!
//! A matrix named `b_from_a` takes coordinates in `a` to coordinates in `b`, so
//! that in a product equal names touch:
//!
//! ```
//! use bindpose::asset::builtin;
//! use bindpose::skin::joint_matrices;
//!
//! let arm = builtin("arm").unwrap();
//! let posed = arm.posed(|param| (param == "bend").then_some(0.8));
//! let world_from_joint = arm.skeleton.world_from_joint(&posed.pose);
//! let joint_from_bind = arm.skeleton.joint_from_bind();
//! let world_from_bind = joint_matrices(&world_from_joint, &joint_from_bind);
//! assert_eq!(world_from_bind[1], world_from_joint[1] * joint_from_bind[1]);
//!
//! let position_in_bind = arm.mesh.positions[0];
//! let position_in_joint = joint_from_bind[1].transform_point3(position_in_bind);
//! let position_in_world = world_from_joint[1].transform_point3(position_in_joint);
//! let at_once = world_from_bind[1].transform_point3(position_in_bind);
//! assert!(position_in_world.abs_diff_eq(at_once, 1e-5));
//! ```

pub mod app;
pub mod asset;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod diagnostic;
pub mod handout;
pub mod lesson;
pub mod notebook;
pub mod render;
pub mod shipped;
#[cfg(not(target_arch = "wasm32"))]
pub mod site;
pub mod skin;
pub mod ui;
