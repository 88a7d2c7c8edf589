//! What the reader has asked of every program on the computer: less motion,
//! larger text, more contrast, a dark theme.

use std::sync::mpsc::Receiver;

use eframe::egui::Context;

#[cfg(target_arch = "wasm32")]
use super::web_document::Listener;

/// As the desktop, or the browser, has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemSettings {
    /// No animations.
    pub less_motion: bool,
    /// Size of text, 1 being normal.
    pub text_scale: f32,
    /// Text and lines that stand out more.
    pub more_contrast: bool,
    /// The dark theme or the light one; `None`: as the window says, where it does.
    pub dark: Option<bool>,
}

impl Default for SystemSettings {
    fn default() -> Self {
        Self { less_motion: false, text_scale: 1.0, more_contrast: false, dark: None }
    }
}

/// They come with a frame: at first, and in a browser whenever they change.
pub(super) struct SystemSettingsEvents {
    received: Receiver<SystemSettings>,
    #[cfg(target_arch = "wasm32")]
    _listeners: Vec<Listener>,
}

impl SystemSettingsEvents {
    /// Asks now.
    pub(super) fn listen(ctx: &Context) -> Self {
        #[cfg(target_arch = "wasm32")]
        return browser::listen(ctx);
        #[cfg(not(target_arch = "wasm32"))]
        desktop::listen(ctx)
    }

    /// The last that came since this was last called; `None`: nothing came.
    pub(super) fn last(&self) -> Option<SystemSettings> {
        self.received.try_iter().last()
    }
}

/// A browser tells them as media queries, and the size of text as what it takes for
/// medium.
#[cfg(target_arch = "wasm32")]
mod browser {
    use std::sync::mpsc::channel;

    use web_sys::Window;

    use super::{Context, Listener, SystemSettings, SystemSettingsEvents};

    const LESS_MOTION: &str = "(prefers-reduced-motion: reduce)";
    const MORE_CONTRAST: &str = "(prefers-contrast: more), (forced-colors: active)";
    /// Pixels of text where nobody has asked for another size.
    const USUAL: f32 = 16.0;

    /// Where there is no page, nothing comes.
    pub(super) fn listen(ctx: &Context) -> SystemSettingsEvents {
        let (sender, received) = channel();
        let mut listeners = Vec::new();
        if let Some(window) = web_sys::window() {
            for query in [LESS_MOTION, MORE_CONTRAST] {
                if let Ok(Some(list)) = window.match_media(query) {
                    let (ctx, sender, window) = (ctx.clone(), sender.clone(), window.clone());
                    listeners.push(Listener::new(&list, "change", move |_| {
                        let _ = sender.send(settings(&window));
                        ctx.request_repaint();
                    }));
                }
            }
            let _ = sender.send(settings(&window));
            ctx.request_repaint();
        }
        SystemSettingsEvents { received, _listeners: listeners }
    }

    fn settings(window: &Window) -> SystemSettings {
        let asks = |query: &str| {
            let list = window.match_media(query).ok().flatten();
            list.is_some_and(|list| list.matches())
        };
        SystemSettings {
            less_motion: asks(LESS_MOTION),
            text_scale: medium_size(window).map_or(1.0, |size| (size / USUAL).clamp(0.5, 3.0)),
            more_contrast: asks(MORE_CONTRAST),
            dark: None,
        }
    }

    /// Pixels of text of medium size, whatever the page itself uses.
    fn medium_size(window: &Window) -> Option<f32> {
        let document = window.document()?;
        let sample = document.create_element("span").ok()?;
        let style = "font-size: medium; position: absolute; visibility: hidden";
        sample.set_attribute("style", style).ok()?;
        document.body()?.append_child(&sample).ok()?;
        let style = window.get_computed_style(&sample).ok().flatten();
        let size = style.and_then(|style| style.get_property_value("font-size").ok());
        sample.remove();
        size?.strip_suffix("px")?.parse().ok()
    }
}

/// GNOME and the desktops that share its settings tell them by the program
/// `gsettings`. Where there is none, all is as usual.
#[cfg(not(target_arch = "wasm32"))]
mod desktop {
    use std::process::{Command, Stdio};
    use std::sync::mpsc::channel;

    use super::{Context, SystemSettings, SystemSettingsEvents};

    const INTERFACE: &str = "org.gnome.desktop.interface";
    const ACCESS: &str = "org.gnome.desktop.a11y.interface";

    /// Asks on a thread; the answer comes once.
    pub(super) fn listen(ctx: &Context) -> SystemSettingsEvents {
        let (sender, received) = channel();
        if cfg!(target_os = "linux") {
            let ctx = ctx.clone();
            std::thread::spawn(move || {
                let animations = value_of(INTERFACE, "enable-animations");
                let scale = value_of(INTERFACE, "text-scaling-factor");
                let contrast = value_of(ACCESS, "high-contrast");
                let scheme = value_of(INTERFACE, "color-scheme");
                let told = [animations, scale, contrast, scheme];
                let settings = read(told.each_ref().map(Option::as_deref));
                // A window that has gone needs none.
                if sender.send(settings).is_ok() {
                    ctx.request_repaint();
                }
            });
        }
        SystemSettingsEvents { received }
    }

    fn value_of(schema: &str, key: &str) -> Option<String> {
        let output = Command::new("gsettings")
            .args(["get", schema, key])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then_some(text)
    }

    /// What makes no sense is as usual.
    fn read([animations, scale, contrast, scheme]: [Option<&str>; 4]) -> SystemSettings {
        let scale = scale.and_then(|text| text.trim().parse().ok());
        SystemSettings {
            less_motion: animations.is_some_and(|text| text.trim() == "false"),
            text_scale: scale.filter(|scale| (0.5..=3.0).contains(scale)).unwrap_or(1.0),
            more_contrast: contrast.is_some_and(|text| text.trim() == "true"),
            dark: scheme.map(|text| text.trim() == "'prefer-dark'"),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn settings_are_read_as_gsettings_writes_them() {
            let dark = Some("'prefer-dark'\n");
            let asked = read([Some("false\n"), Some("1.25\n"), Some("true\n"), dark]);
            assert_eq!((asked.less_motion, asked.text_scale), (true, 1.25));
            assert!(asked.more_contrast);
            assert_eq!(asked.dark, Some(true));
            let usual = SystemSettings::default();
            assert_eq!(read([Some("true\n"), Some("1.0\n"), Some("false\n"), None]), usual);
            assert_eq!(read([None; 4]), usual);
            assert_eq!(read([Some("?"), Some("1e9"), Some("?"), None]), usual);
            let light = read([None, None, None, Some("'default'\n")]);
            assert_eq!(light.dark, Some(false));
        }
    }
}
