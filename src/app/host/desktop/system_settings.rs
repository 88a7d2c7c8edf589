//! Accessibility settings of GNOME, and of desktops that share them, from the program
//! `gsettings`. The defaults if it is missing.

use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::Context;

use crate::app::SystemSettings;

const INTERFACE_SCHEMA: &str = "org.gnome.desktop.interface";
const ACCESSIBILITY_SCHEMA: &str = "org.gnome.desktop.a11y.interface";

/// Receives the settings once after the start.
pub(super) struct SystemSettingsEvents {
    received: Receiver<SystemSettings>,
}

impl SystemSettingsEvents {
    /// Reads the settings on a thread.
    pub(super) fn listen(ctx: &Context) -> Self {
        let (sender, received) = channel();
        if cfg!(target_os = "linux") {
            let ctx = ctx.clone();
            std::thread::spawn(move || {
                let values = DesktopValues {
                    animations: setting_value(INTERFACE_SCHEMA, "enable-animations"),
                    text_scale: setting_value(INTERFACE_SCHEMA, "text-scaling-factor"),
                    high_contrast: setting_value(ACCESSIBILITY_SCHEMA, "high-contrast"),
                    color_scheme: setting_value(INTERFACE_SCHEMA, "color-scheme"),
                };
                // Sending fails if the window is already closed.
                if sender.send(values.parse()).is_ok() {
                    ctx.request_repaint();
                }
            });
        }
        Self { received }
    }

    /// Returns the settings if they were received since the last call.
    pub(super) fn last(&self) -> Option<SystemSettings> {
        self.received.try_iter().last()
    }
}

fn setting_value(schema: &str, key: &str) -> Option<String> {
    let output = Command::new("gsettings")
        .args(["get", schema, key])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

/// Output of `gsettings` for each setting.
struct DesktopValues {
    animations: Option<String>,
    text_scale: Option<String>,
    high_contrast: Option<String>,
    color_scheme: Option<String>,
}

impl DesktopValues {
    /// Replaces missing and invalid values by the defaults.
    fn parse(&self) -> SystemSettings {
        let animations = self.animations.as_deref().map(str::trim);
        let high_contrast = self.high_contrast.as_deref().map(str::trim);
        let color_scheme = self.color_scheme.as_deref().map(str::trim);
        let text_scale = self.text_scale.as_ref().and_then(|text| text.trim().parse().ok());
        SystemSettings {
            less_motion: animations == Some("false"),
            text_scale: text_scale.filter(|scale| (0.5..=3.0).contains(scale)).unwrap_or(1.0),
            more_contrast: high_contrast == Some("true"),
            dark: color_scheme.map(|scheme| scheme == "'prefer-dark'"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_values(values: [Option<&str>; 4]) -> SystemSettings {
        let [animations, text_scale, high_contrast, color_scheme] =
            values.map(|value| value.map(str::to_owned));
        DesktopValues { animations, text_scale, high_contrast, color_scheme }.parse()
    }

    #[test]
    fn gsettings_output_is_parsed() {
        let dark = Some("'prefer-dark'\n");
        let settings = parse_values([Some("false\n"), Some("1.25\n"), Some("true\n"), dark]);
        assert_eq!((settings.less_motion, settings.text_scale), (true, 1.25));
        assert!(settings.more_contrast);
        assert_eq!(settings.dark, Some(true));
        let default = SystemSettings::default();
        let usual = [Some("true\n"), Some("1.0\n"), Some("false\n"), None];
        assert_eq!(parse_values(usual), default);
        assert_eq!(parse_values([None; 4]), default);
        assert_eq!(parse_values([Some("?"), Some("1e9"), Some("?"), None]), default);
        let light = parse_values([None, None, None, Some("'default'\n")]);
        assert_eq!(light.dark, Some(false));
    }
}
