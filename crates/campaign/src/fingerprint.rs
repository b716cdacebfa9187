//! 64-bit FNV-1a: enough to tell things apart by name, the same on every machine and in every version.

/// A hash that is being computed.
#[derive(Copy, Clone, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) -> &mut Fingerprint {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
        self
    }

    /// The hash of what was added.
    pub fn value(&self) -> u64 {
        self.0
    }
}
