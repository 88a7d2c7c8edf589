//! What the reader has asked of every program on the computer: less motion,
//! larger text.

/// As the desktop has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemSettings {
    /// No animations.
    pub less_motion: bool,
    /// Size of text, 1 being normal.
    pub text_scale: f32,
}

impl Default for SystemSettings {
    fn default() -> Self {
        Self {
            less_motion: false,
            text_scale: 1.0,
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
pub(super) use desktop::ask;

/// GNOME and the desktops that share its settings tell them by the program
/// `gsettings`. Where there is none, all is as usual.
#[cfg(not(target_arch = "wasm32"))]
mod desktop {
    use std::process::{Command, Stdio};
    use std::sync::mpsc::{Receiver, channel};

    use eframe::egui::Context;

    use super::SystemSettings;

    /// Asks on a thread; the answer comes once, with a frame.
    pub(in crate::app) fn ask(ctx: &Context) -> Receiver<SystemSettings> {
        let (sender, receiver) = channel();
        if cfg!(target_os = "linux") {
            let ctx = ctx.clone();
            std::thread::spawn(move || {
                let animations = value_of("enable-animations");
                let scale = value_of("text-scaling-factor");
                let settings = read(animations.as_deref(), scale.as_deref());
                // A window that has gone needs none.
                if sender.send(settings).is_ok() {
                    ctx.request_repaint();
                }
            });
        }
        receiver
    }

    fn value_of(key: &str) -> Option<String> {
        let output = Command::new("gsettings")
            .args(["get", "org.gnome.desktop.interface", key])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then_some(text)
    }

    /// What makes no sense is as usual.
    fn read(animations: Option<&str>, scale: Option<&str>) -> SystemSettings {
        let scale = scale.and_then(|text| text.trim().parse().ok());
        SystemSettings {
            less_motion: animations.is_some_and(|text| text.trim() == "false"),
            text_scale: scale
                .filter(|scale| (0.5..=3.0).contains(scale))
                .unwrap_or(1.0),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn settings_are_read_as_gsettings_writes_them() {
            let asked = read(Some("false\n"), Some("1.25\n"));
            assert_eq!((asked.less_motion, asked.text_scale), (true, 1.25));
            assert_eq!(
                read(Some("true\n"), Some("1.0\n")),
                SystemSettings::default()
            );
            assert_eq!(read(None, None), SystemSettings::default());
            assert_eq!(read(Some("?"), Some("1e9")), SystemSettings::default());
        }
    }
}
