//! What the system sends when it wants the program to end.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::preferences_saver::SaverHandle;

/// Saves before the program ends by such a signal; whoever sent it sees that it
/// ended by it. A hangup is left as it is: `nohup` wants it ignored.
pub(super) fn save_before_the_end(saver: SaverHandle) {
    let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) else {
        return;
    };
    let work = move || {
        for signal in signals.forever() {
            saver.save_now();
            let _ = emulate_default_handler(signal);
        }
    };
    // Without a thread they must keep on ending the program.
    let thread = std::thread::Builder::new().name("signals".to_owned());
    if let Err(error) = thread.spawn(work) {
        log::warn!("the program cannot be ended by a signal: {error}");
    }
}
