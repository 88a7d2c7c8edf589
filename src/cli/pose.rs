//! Arguments that pose a rig, which several commands share.

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::{ClipAt, Rig};
use bindpose_notebook::{Document, Playback, TIME_PARAM};
use bindpose_skin::Method;

use super::CommandFailure;
use super::arguments::{param_values, parse_key, parse_number, parse_set_options};

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
    #[arg(long, value_name = "SECS", allow_negative_numbers = true, value_parser = parse_number::<f64>)]
    time: Option<f64>,
    /// How the joints of a vertex become one motion: linear, dual-quaternion or
    /// rigid
    #[arg(long, default_value = "linear")]
    method: String,
}

impl PoseArgs {
    /// Returns the values of the rig's parameters. Later ones override earlier ones.
    pub(super) fn param_values(&self, rig: &Rig) -> Result<Vec<(String, f64)>, CommandFailure> {
        param_values(rig, &parse_set_options(&self.set)?)
    }

    pub(super) fn method(&self) -> Result<Method, CommandFailure> {
        parse_key("method", &self.method)
    }

    /// Returns a document with the rig in this pose.
    pub(super) fn document(&self, rig: &Rig) -> Result<Document, CommandFailure> {
        let mut document = Document::default();
        document.state.method = self.method()?;
        document.state.params.extend(self.param_values(rig)?);
        if let Some(at) = self.clip(rig)? {
            document.state.playback = Playback {
                clip: Some(at.clip),
                // glTF clamps times past the end of an animation.
                repeats: false,
                ..Playback::default()
            };
            document.state.params.insert(TIME_PARAM.to_owned(), at.time_secs);
        }
        Ok(document)
    }

    /// Returns the animation clip and its time, or `None` if no clip plays.
    pub(super) fn clip(&self, rig: &Rig) -> Result<Option<ClipAt>, CommandFailure> {
        let Some(name) = &self.animation else {
            let Some(time) = self.time else { return Ok(None) };
            let wrong = Diagnostic::said("NO_ANIMATION", "no animation is named for it")
                .help("name one with --animation, or leave it out");
            return Err(CommandFailure::argument(format!("--time {time:?}"), wrong));
        };
        if name == "none" {
            return Ok(None);
        }
        let by_index = name.parse().ok().filter(|&index| index < rig.clips.len());
        let by_name = rig.clips.iter().position(|clip| clip.name == *name);
        let Some(clip) = by_index.or(by_name) else {
            return Err(unknown_animation(name, rig));
        };
        Ok(Some(ClipAt { clip, time_secs: self.time.unwrap_or(0.0), share: 1.0 }))
    }
}

fn unknown_animation(name: &str, rig: &Rig) -> CommandFailure {
    let help = if rig.clips.is_empty() {
        "this model has none; leave it out".to_owned()
    } else {
        let clips: Vec<String> = rig
            .clips
            .iter()
            .enumerate()
            .map(|(index, clip)| format!("{index} `{}`", clip.name))
            .collect();
        format!("there are {}, and none", clips.join(", "))
    };
    let wrong =
        Diagnostic::unknown("animation", name, &[]).title("there is no such animation").help(help);
    CommandFailure::argument(format!("--animation {name}"), wrong)
}
