//! What the device brings: keys that the browser shares, fingers, a keyboard on the
//! screen, a notch, full screen.

use std::cell::Cell;
use std::rc::Rc;

use bindpose_page::touch;
use bindpose_page::widgets::take_typed;
use eframe::egui::epaint::MarginF32;
use eframe::egui::{Context, Modifiers, RawInput, SafeAreaInsets};
use eframe::wasm_bindgen::{JsCast as _, JsValue};
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Element, Event, EventTarget, HtmlCanvasElement, HtmlInputElement, KeyboardEvent, PointerEvent,
    Window,
};

use super::super::keys::browser::{BrowserKeyOwner, key, owner};
use super::super::shell::Shell;
use crate::app::web_document::Listener;

/// The device that the canvas is shown on.
pub(super) struct Device {
    window: Window,
    canvas: HtmlCanvasElement,
    _listeners: Vec<Listener>,
    /// A press or a release that no frame has heard of yet.
    pressed: Rc<Cell<Option<Pressed>>>,
    /// How long after the last press, and the last release, its frame began, in
    /// seconds.
    late_secs: [f64; 2],
    /// How fine the screen's pixels were in the last frame, and who hears of others.
    fineness: Option<(f64, Listener)>,
    /// Before the first touch, the page is to know that the screen can be touched.
    announce_fingers: bool,
    /// Was the notebook presenting in the last frame?
    presenting: bool,
    /// Has the page the whole screen?
    full_screen: bool,
    /// What the keyboard on the screen was last asked to be.
    input_mode: &'static str,
}

/// A finger or a button went down, or up.
#[derive(Clone, Copy)]
struct Pressed {
    is_release: bool,
    /// By the browser's clock, in seconds.
    at_secs: f64,
}

impl Device {
    /// Listens to what happens around the canvas.
    ///
    /// Errors: what the browser lacks.
    pub(super) fn attach(canvas: HtmlCanvasElement, ctx: &Context) -> Result<Self, JsValue> {
        let window = web_sys::window().ok_or("no window")?;
        let coarse = window.match_media("(pointer: coarse)")?;
        let coarse = coarse.is_some_and(|media| media.matches());
        let mut listeners = Vec::new();
        let mac = ctx.os().is_mac();
        for kind in ["keydown", "keyup"] {
            let canvas = canvas.clone();
            listeners.push(Listener::new(&window, kind, move |event| {
                share_key(&canvas, &event, mac);
            }));
        }
        let pressed = Rc::new(Cell::new(None));
        for (kind, is_release) in [("pointerdown", false), ("pointerup", true)] {
            let pressed = Rc::clone(&pressed);
            listeners.push(Listener::new(&window, kind, move |event| {
                if !is_second_finger(&event) {
                    let at_secs = event.time_stamp() / 1000.0;
                    pressed.set(Some(Pressed { is_release, at_secs }));
                }
            }));
        }
        let mut looks_again = |target: &EventTarget, kind| {
            let ctx = ctx.clone();
            listeners.push(Listener::new(target, kind, move |_| ctx.request_repaint()));
        };
        looks_again(&window, "fullscreenchange");
        if let Some(seen) = window.visual_viewport() {
            looks_again(&seen, "resize");
            looks_again(&seen, "scroll");
        }
        Ok(Self {
            window,
            canvas,
            _listeners: listeners,
            pressed,
            late_secs: [0.0; 2],
            fineness: None,
            announce_fingers: coarse,
            presenting: false,
            full_screen: false,
            input_mode: "text",
        })
    }

    /// Gives the canvas a pixel for each of the screen's. Browsers tell of a canvas in
    /// the screen's pixels when its size changes; where a screen with finer ones is
    /// imitated, they tell of other ones.
    pub(super) fn keep_sharp(&mut self, ctx: &Context) {
        let shown = self.canvas.get_bounding_client_rect();
        let fine = self.window.device_pixel_ratio();
        self.hear_of_others(ctx, fine);
        let wanted = [shown.width() * fine, shown.height() * fine];
        let now = [self.canvas.width(), self.canvas.height()].map(f64::from);
        let far = (0..2).any(|side| (wanted[side] - now[side]).abs() > 2.0);
        if far && wanted.iter().all(|side| *side >= 1.0) {
            self.canvas.set_width(wanted[0].round() as u32);
            self.canvas.set_height(wanted[1].round() as u32);
            ctx.request_repaint();
        }
    }

    /// When the page gets onto a screen with other pixels, eframe changes the size of
    /// the canvas, which empties it, and asks for no frame.
    fn hear_of_others(&mut self, ctx: &Context, fine: f64) {
        if self.fineness.as_ref().is_some_and(|(known, _)| *known == fine) {
            return;
        }
        let query = self.window.match_media(&format!("(resolution: {fine}dppx)"));
        self.fineness = query.ok().flatten().map(|query| {
            let ctx = ctx.clone();
            let listener = Listener::new(&query, "change", move |_| ctx.request_repaint());
            (fine, listener)
        });
    }

    /// Says once that the screen can be touched: else the first finger could not
    /// scroll.
    pub(super) fn announce_fingers(&mut self, input: &mut RawInput) {
        if std::mem::take(&mut self.announce_fingers) {
            input.events.push(touch::none());
        }
    }

    /// egui counts from frame to frame how long a press lasts, and how soon the next
    /// one comes. Where a page is drawn slowly, frames begin long after what they
    /// hear of, and not all equally long: a double tap would be two taps. For this
    /// frame, which eframe begins for this press or release alone, the difference
    /// is allowed too; with the next one all is as usual.
    pub(super) fn date_presses(&mut self, ctx: &Context, input: &RawInput) {
        let (Some(pressed), Some(now_secs)) = (self.pressed.take(), input.time) else {
            return;
        };
        let late_secs = (now_secs - pressed.at_secs).max(0.0);
        let [of_press, of_release] = self.late_secs;
        ctx.options_mut(|options| {
            let options = &mut options.input_options;
            options.max_double_click_delay += late_secs - of_release;
            if pressed.is_release {
                options.max_click_duration += (late_secs - of_press).max(0.0);
            }
        });
        self.late_secs[usize::from(pressed.is_release)] = late_secs;
    }

    /// What a notch and a keyboard on the screen leave of the canvas.
    pub(super) fn insets(&self, ctx: &Context) -> SafeAreaInsets {
        let zoom = ctx.zoom_factor();
        let side = |name: &str| self.inset_px(name).unwrap_or(0.0) / zoom;
        let keyboard = self.keyboard_px().unwrap_or(0.0) / zoom;
        SafeAreaInsets(MarginF32 {
            left: side("--inset-left"),
            right: side("--inset-right"),
            top: side("--inset-top"),
            bottom: keyboard.max(side("--inset-bottom")),
        })
    }

    /// The height of the canvas that a keyboard covers.
    fn keyboard_px(&self) -> Option<f32> {
        let seen = self.window.visual_viewport()?;
        // A page that is magnified has no keyboard that we would know of.
        if (seen.scale() - 1.0).abs() > 0.01 {
            return None;
        }
        let canvas = self.canvas.get_bounding_client_rect();
        let covered = canvas.bottom() - (seen.offset_top() + seen.height());
        // Bars of the browser come and go by less.
        (covered > 80.0).then_some(covered as f32)
    }

    /// One of the page's custom properties, which hold `env(safe-area-inset-…)`.
    fn inset_px(&self, name: &str) -> Option<f32> {
        let root = self.window.document()?.document_element()?;
        let style = self.window.get_computed_style(&root).ok()??;
        let value = style.get_property_value(name).ok()?;
        value.trim().strip_suffix("px")?.parse().ok()
    }

    /// Before a frame: who leaves the full screen by the browser's own key leaves the
    /// presenter mode.
    pub(super) fn before_frame(&mut self, ctx: &Context, shell: &mut Shell) {
        let document = self.window.document();
        let is_full = document.is_some_and(|document| document.fullscreen_element().is_some());
        if self.full_screen && !is_full && shell.is_presenting() {
            shell.stop_presenting(ctx);
        }
        self.full_screen = is_full;
    }

    /// After it: the keyboard that a number wants, and full screen while presenting.
    pub(super) fn after_frame(&mut self, ctx: &Context, shell: &Shell) {
        let typed = take_typed(ctx);
        // Keyboards for decimals have no minus on some phones.
        let mode = match typed {
            Some(typed) if !typed.signed => "decimal",
            _ => "text",
        };
        if mode != self.input_mode
            && let Some(field) = text_agent(&self.canvas)
        {
            self.input_mode = mode;
            let _ = field.set_attribute("inputmode", mode);
            let _ = field.set_attribute("enterkeyhint", "done");
            let _ = field.set_attribute("autocomplete", "off");
        }
        let presenting = shell.is_presenting();
        if presenting != self.presenting {
            self.presenting = presenting;
            self.fill_screen(presenting);
        }
    }

    /// Asks for the whole screen, or gives it back. A browser that refuses says so to
    /// nobody: the page is presented in its window then.
    fn fill_screen(&self, on: bool) {
        let Some(document) = self.window.document() else {
            return;
        };
        if on {
            if let Some(root) = document.document_element() {
                call(&root, "requestFullscreen");
            }
        } else if document.fullscreen_element().is_some() {
            document.exit_fullscreen();
        }
    }
}

/// Calls a method without arguments, if it is there, whose promise may come to
/// nothing.
fn call(element: &Element, method: &str) {
    let method = Reflect::get(element, &JsValue::from_str(method)).ok();
    let method = method.and_then(|method| method.dyn_into::<Function>().ok());
    let promise = method.and_then(|method| method.call0(element).ok());
    if let Some(promise) = promise.and_then(|promise| promise.dyn_into::<Promise>().ok()) {
        wasm_bindgen_futures::spawn_local(async move {
            let _ = JsFuture::from(promise).await;
        });
    }
}

/// Keeps the browser from acting on the notebook's keys, and the notebook from
/// seeing the browser's.
fn share_key(canvas: &HtmlCanvasElement, event: &Event, mac: bool) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    let Some(target) = event.target() else {
        return;
    };
    let on_canvas = target == EventTarget::from(canvas.clone());
    let typing = text_agent(canvas).is_some_and(|field| target == field.into());
    if !on_canvas && !typing {
        return;
    }
    let Some(key) = key(&event.key()) else {
        return;
    };
    let held = Modifiers {
        alt: event.alt_key(),
        ctrl: event.ctrl_key(),
        shift: event.shift_key(),
        mac_cmd: mac && event.meta_key(),
        command: if mac { event.meta_key() } else { event.ctrl_key() },
    };
    match owner(key, held, typing, mac) {
        BrowserKeyOwner::Notebook => event.prevent_default(),
        BrowserKeyOwner::Browser => event.stop_immediate_propagation(),
        BrowserKeyOwner::Both => {}
    }
}

/// A second finger is a touch, which is told apart; as a pointer it would carry off
/// what the first one holds.
fn is_second_finger(event: &Event) -> bool {
    let pointer = event.dyn_ref::<PointerEvent>();
    let second =
        pointer.is_some_and(|pointer| pointer.pointer_type() == "touch" && !pointer.is_primary());
    if second {
        event.stop_immediate_propagation();
    }
    second
}

// The field in which eframe takes what is typed.

/// eframe puts it after its canvas; the elements for screen readers put one of theirs
/// around it. Absent before eframe has started.
pub(super) fn text_agent(canvas: &HtmlCanvasElement) -> Option<HtmlInputElement> {
    let beside = canvas.next_element_sibling()?;
    let inside = beside.first_element_child();
    let agent = beside.dyn_into::<HtmlInputElement>().ok();
    agent.or_else(|| inside?.dyn_into().ok())
}
