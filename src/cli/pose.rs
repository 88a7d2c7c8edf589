//! The pose that a command line asks for, and how vertices follow it.

use bindpose_asset::{ClipAt, Rig};
use bindpose_diagnostic::Diagnostic;
use bindpose_notebook::{Document, Playback, TIME};
use bindpose_skin::Method;

use super::arguments::number;
use super::{CommandFailure, arguments};

#[derive(Debug, clap::Args)]
pub(super) struct PoseArgs {
    /// Pose it: b0=0.8,b1=45deg; angles in radians unless written 45deg;
    /// `all` is every angle
    #[arg(long, value_name = "NAME=VALUE,…")]
    set: Vec<String>,
    /// In this animation: its name, its number from 0, or none
    #[arg(long, value_name = "NAME|I|none")]
    animation: Option<String>,
    /// So many seconds after the animation's beginning
    #[arg(long, value_name = "SECS", allow_negative_numbers = true, value_parser = number::<f64>)]
    time: Option<f64>,
    /// How the joints of a vertex become one motion: linear, dual-quaternion or
    /// rigid
    #[arg(long, default_value = "linear")]
    method: String,
}

impl PoseArgs {
    /// Parameters of the rig, later ones over earlier ones.
    pub(super) fn values(&self, rig: &Rig) -> Result<Vec<(String, f64)>, CommandFailure> {
        arguments::values_for(rig, &arguments::read_settings(&self.set)?)
    }

    pub(super) fn method(&self) -> Result<Method, CommandFailure> {
        arguments::one_of("method", &self.method)
    }

    /// A page of the rig in that pose.
    pub(super) fn document(&self, rig: &Rig) -> Result<Document, CommandFailure> {
        let mut document = Document::default();
        document.state.method = self.method()?;
        document.state.params.extend(self.values(rig)?);
        if let Some(at) = self.clip(rig)? {
            document.state.playback = Playback {
                clip: Some(at.clip),
                // A time past the end is the end, as glTF says.
                repeats: false,
                ..Playback::default()
            };
            document.state.params.insert(TIME.to_owned(), at.time_secs);
        }
        Ok(document)
    }

    /// Nothing, where nothing plays.
    pub(super) fn clip(&self, rig: &Rig) -> Result<Option<ClipAt>, CommandFailure> {
        let Some(name) = &self.animation else {
            return self.time.map_or(Ok(None), |time| {
                let wrong = Diagnostic::said("NO_ANIMATION", "no animation is named for it");
                let wrong = wrong.help("name one with --animation, or leave it out");
                Err(CommandFailure::argument(format!("--time {time:?}"), wrong))
            });
        };
        if name == "none" {
            return Ok(None);
        }
        let by_number = name.parse().ok().filter(|&clip| clip < rig.clips.len());
        let by_name = || rig.clips.iter().position(|clip| clip.name == *name);
        let Some(clip) = by_number.or_else(by_name) else {
            let clips = rig.clips.iter().enumerate();
            let list = clips.map(|(number, clip)| format!("{number} `{}`", clip.name));
            let list: Vec<String> = list.collect();
            let there_are = match list.len() {
                0 => "this model has none; leave it out".to_owned(),
                _ => format!("there are {}, and none", list.join(", ")),
            };
            let wrong = Diagnostic::unknown("animation", name, &[]);
            let wrong = wrong.title("there is no such animation").help(there_are);
            return Err(CommandFailure::argument(format!("--animation {name}"), wrong));
        };
        Ok(Some(ClipAt { clip, time_secs: self.time.unwrap_or(0.0), share: 1.0 }))
    }
}
