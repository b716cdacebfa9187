//! The opcodes of vectors and floating point: one line gives an opcode of SSE and, with a `V` before its name and a `Y`
//! behind it, those of AVX and AVX2 that do the same to vectors of 128 and 256 bits; what only AVX has is listed as it is.
//! [`evex`] makes of the same lines those of AVX-512.
//!
//! Integer vector operations on two inputs are registered in [`PACKED`] and get their lines from it.

use super::table::{Form, Line, Opcode, Sem};
use super::{evex, hardware};
use crate::x86::float::{Convert, Float, Fused};
use crate::x86::packed::{LaneShift, PACKED, Packed, Shuffle};
use crate::x86::rearrange::{Alone, Arrange, Mix};

const D: &[u32] = &[64];
const S: &[u32] = &[32];
const B: &[u32] = &[8];
const H: &[u32] = &[16];
const X: &[u32] = &[128];
const Y: &[u32] = &[256];
const SIGNED: bool = true;
const ALL: bool = true;

/// Lines of an operation of a register with another, or with memory.
macro_rules! both {
    ($width:expr, $sem:expr, $($name:literal),*) => {
        &[$((concat!($name, "rr"), $width, Form::RR, $sem), (concat!($name, "rm"), $width, Form::RM, $sem)),*]
    };
}
pub(super) use both;

/// Lines of an operation on two vectors and an immediate, under the names of LLVM 19 and later and of those before.
macro_rules! mixed {
    ($width:expr, $mix:expr, $($name:literal),*) => {
        &[$(
            (concat!($name, "rri"), $width, Form::RR, Sem::Mix($mix)),
            (concat!($name, "rmi"), $width, Form::RM, Sem::Mix($mix)),
            (concat!($name, "rr"), $width, Form::RR, Sem::Mix($mix)),
            (concat!($name, "rm"), $width, Form::RM, Sem::Mix($mix))
        ),*]
    };
}

/// The opcodes of SSE.
const SSE: &[&[Line]] = &[
    both!(D, Sem::Float(Float::Add), "ADDSD"),
    both!(D, Sem::Float(Float::Sub), "SUBSD"),
    both!(D, Sem::Float(Float::Mul), "MULSD"),
    both!(D, Sem::Float(Float::Div), "DIVSD"),
    both!(D, Sem::Float(Float::Min), "MINSD"),
    both!(D, Sem::Float(Float::Min), "MINCSD"),
    both!(D, Sem::Float(Float::Max), "MAXSD"),
    both!(D, Sem::Float(Float::Max), "MAXCSD"),
    both!(S, Sem::Float(Float::Add), "ADDSS"),
    both!(S, Sem::Float(Float::Sub), "SUBSS"),
    both!(S, Sem::Float(Float::Mul), "MULSS"),
    both!(S, Sem::Float(Float::Div), "DIVSS"),
    both!(S, Sem::Float(Float::Min), "MINSS"),
    both!(S, Sem::Float(Float::Min), "MINCSS"),
    both!(S, Sem::Float(Float::Max), "MAXSS"),
    both!(S, Sem::Float(Float::Max), "MAXCSS"),
    both!(D, Sem::FloatPacked(Float::Add), "ADDPD"),
    both!(D, Sem::FloatPacked(Float::Sub), "SUBPD"),
    both!(D, Sem::FloatPacked(Float::Mul), "MULPD"),
    both!(D, Sem::FloatPacked(Float::Div), "DIVPD"),
    both!(S, Sem::FloatPacked(Float::Add), "ADDPS"),
    both!(S, Sem::FloatPacked(Float::Sub), "SUBPS"),
    both!(S, Sem::FloatPacked(Float::Mul), "MULPS"),
    both!(S, Sem::FloatPacked(Float::Div), "DIVPS"),
    both!(S, Sem::FloatPacked(Float::Min), "MINPS"),
    both!(S, Sem::FloatPacked(Float::Min), "MINCPS"),
    both!(S, Sem::FloatPacked(Float::Max), "MAXPS"),
    both!(S, Sem::FloatPacked(Float::Max), "MAXCPS"),
    both!(D, Sem::FloatPacked(Float::Min), "MINPD"),
    both!(D, Sem::FloatPacked(Float::Min), "MINCPD"),
    both!(D, Sem::FloatPacked(Float::Max), "MAXPD"),
    both!(D, Sem::FloatPacked(Float::Max), "MAXCPD"),
    both!(D, Sem::FloatFlags, "UCOMISD", "COMISD"),
    both!(S, Sem::FloatFlags, "UCOMISS", "COMISS"),
    both!(D, Sem::FromInt(32), "CVTSI2SD"),
    both!(D, Sem::FromInt(64), "CVTSI642SD"),
    both!(S, Sem::FromInt(32), "CVTSI2SS"),
    both!(S, Sem::FromInt(64), "CVTSI642SS"),
    both!(D, Sem::ToInt(32), "CVTTSD2SI"),
    &[
        ("CVTTSD2SIrr_Int", D, Form::RR, Sem::ToInt(32)),
        ("CVTTSD2SI64rr_Int", D, Form::RR, Sem::ToInt(64)),
        ("CVTTSS2SIrr_Int", S, Form::RR, Sem::ToInt(32)),
        ("CVTTSS2SI64rr_Int", S, Form::RR, Sem::ToInt(64)),
    ],
    both!(D, Sem::RoundToInt(32), "CVTSD2SI"),
    both!(D, Sem::RoundToInt(64), "CVTSD2SI64"),
    both!(S, Sem::RoundToInt(32), "CVTSS2SI"),
    both!(S, Sem::RoundToInt(64), "CVTSS2SI64"),
    &[
        ("CVTSD2SIrr_Int", D, Form::RR, Sem::RoundToInt(32)),
        ("CVTSD2SI64rr_Int", D, Form::RR, Sem::RoundToInt(64)),
        ("CVTSS2SIrr_Int", S, Form::RR, Sem::RoundToInt(32)),
        ("CVTSS2SI64rr_Int", S, Form::RR, Sem::RoundToInt(64)),
        ("CVTSD2SIrm_Int", D, Form::RM, Sem::RoundToInt(32)),
        ("CVTSD2SI64rm_Int", D, Form::RM, Sem::RoundToInt(64)),
        ("CVTSS2SIrm_Int", S, Form::RM, Sem::RoundToInt(32)),
        ("CVTSS2SI64rm_Int", S, Form::RM, Sem::RoundToInt(64)),
    ],
    both!(D, Sem::ToInt(64), "CVTTSD2SI64"),
    both!(S, Sem::ToInt(32), "CVTTSS2SI"),
    both!(S, Sem::ToInt(64), "CVTTSS2SI64"),
    both!(S, Sem::FloatConvert(64), "CVTSD2SS"),
    both!(D, Sem::FloatConvert(32), "CVTSS2SD"),
    both!(S, Sem::ConvertPacked(Convert::FromInt(32)), "CVTDQ2PS"),
    both!(D, Sem::ConvertPacked(Convert::FromInt(32)), "CVTDQ2PD"),
    both!(S, Sem::ConvertPacked(Convert::ToInt(32)), "CVTTPS2DQ"),
    both!(S, Sem::ConvertPacked(Convert::ToInt(64)), "CVTTPD2DQ"),
    both!(D, Sem::ConvertPacked(Convert::Format(32)), "CVTPS2PD"),
    both!(S, Sem::ConvertPacked(Convert::Format(64)), "CVTPD2PS"),
    &[
        ("SQRTSDr", D, Form::RR, Sem::Sqrt),
        ("SQRTSDm", D, Form::RM, Sem::Sqrt),
        ("SQRTSSr", S, Form::RR, Sem::Sqrt),
        ("SQRTSSm", S, Form::RM, Sem::Sqrt),
        ("CMPSDrri", D, Form::RR, Sem::FloatMask),
        ("CMPSDrmi", D, Form::RM, Sem::FloatMask),
        ("CMPSSrri", S, Form::RR, Sem::FloatMask),
        ("CMPSSrmi", S, Form::RM, Sem::FloatMask),
        ("CMPPDrri", D, Form::RR, Sem::FloatMasks),
        ("CMPPDrmi", D, Form::RM, Sem::FloatMasks),
        ("CMPPSrri", S, Form::RR, Sem::FloatMasks),
        ("CMPPSrmi", S, Form::RM, Sem::FloatMasks),
        // LLVM 14 names.
        ("CMPSDrr", D, Form::RR, Sem::FloatMask),
        ("CMPSDrm", D, Form::RM, Sem::FloatMask),
        ("CMPSSrr", S, Form::RR, Sem::FloatMask),
        ("CMPSSrm", S, Form::RM, Sem::FloatMask),
        ("MOVSDrm_alt", D, Form::RM, Sem::Mov),
        ("MOVSSrm_alt", S, Form::RM, Sem::Mov),
        ("MOVSDmr", D, Form::MR, Sem::Mov),
        ("MOVSSmr", S, Form::MR, Sem::Mov),
        ("MOVSDrm", X, Form::RM, Sem::MovFit(64)),
        ("MOVSSrm", X, Form::RM, Sem::MovFit(32)),
        ("MOVSDrr", D, Form::RR, Sem::MovLow),
        ("MOVSSrr", S, Form::RR, Sem::MovLow),
        ("MOVAPSrr", X, Form::RR, Sem::Mov),
        ("MOVAPDrr", X, Form::RR, Sem::Mov),
        ("MOVDQArr", X, Form::RR, Sem::Mov),
        ("MOVUPSrm", X, Form::RM, Sem::Mov),
        ("MOVUPSmr", X, Form::MR, Sem::Mov),
        ("MOVUPDrm", X, Form::RM, Sem::Mov),
        ("MOVUPDmr", X, Form::MR, Sem::Mov),
        ("MOVDQUrm", X, Form::RM, Sem::Mov),
        ("LDDQUrm", X, Form::RM, Sem::Mov),
        ("MOVDQUmr", X, Form::MR, Sem::Mov),
        ("MOVAPSrm", X, Form::RM, Sem::Mov),
        ("MOVAPSmr", X, Form::MR, Sem::Mov),
        ("MOVAPDrm", X, Form::RM, Sem::Mov),
        ("MOVAPDmr", X, Form::MR, Sem::Mov),
        ("MOVDQArm", X, Form::RM, Sem::Mov),
        ("MOVDQAmr", X, Form::MR, Sem::Mov),
        ("MOVLPDmr", D, Form::MR, Sem::Mov),
        ("MOVLPSmr", D, Form::MR, Sem::Mov),
        ("FsFLD0SD", D, Form::Own, Sem::Constant(0)),
        ("FsFLD0SS", S, Form::Own, Sem::Constant(0)),
        ("V_SET0", X, Form::Own, Sem::Constant(0)),
        ("V_SETALLONES", X, Form::Own, Sem::Constant(-1)),
        ("MOVDI2PDIrr", X, Form::RR, Sem::MovFit(32)),
        ("MOVDI2PDIrm", X, Form::RM, Sem::MovFit(32)),
        ("MOVPDI2DIrr", S, Form::RR, Sem::MovFit(128)),
        ("MOVPDI2DImr", S, Form::MR, Sem::Mov),
        ("MOV64toPQIrr", X, Form::RR, Sem::MovFit(64)),
        ("MOVQI2PQIrm", X, Form::RM, Sem::MovFit(64)),
        ("MOVZPQILo2PQIrr", X, Form::RR, Sem::MovFit(64)),
        ("MOVPQIto64rr", D, Form::RR, Sem::MovFit(128)),
        ("MOVPQI2QImr", D, Form::MR, Sem::Mov),
        ("MOV64toSDrr", D, Form::RR, Sem::Mov),
        ("MOVSDto64rr", D, Form::RR, Sem::Mov),
        ("MOVDI2SSrr", S, Form::RR, Sem::Mov),
        ("MOVSS2DIrr", S, Form::RR, Sem::Mov),
    ],
    &[
        ("PSLLWri", &[16], Form::RI, Sem::LaneShift(LaneShift::Left)),
        ("PSLLDri", S, Form::RI, Sem::LaneShift(LaneShift::Left)),
        ("PSLLQri", D, Form::RI, Sem::LaneShift(LaneShift::Left)),
        ("PSRLWri", &[16], Form::RI, Sem::LaneShift(LaneShift::Right)),
        ("PSRLDri", S, Form::RI, Sem::LaneShift(LaneShift::Right)),
        ("PSRLQri", D, Form::RI, Sem::LaneShift(LaneShift::Right)),
        ("PSRAWri", &[16], Form::RI, Sem::LaneShift(LaneShift::Arith)),
        ("PSRADri", S, Form::RI, Sem::LaneShift(LaneShift::Arith)),
        ("PSLLWrr", &[16], Form::RR, Sem::LaneShift(LaneShift::Left)),
        ("PSLLDrr", S, Form::RR, Sem::LaneShift(LaneShift::Left)),
        ("PSLLQrr", D, Form::RR, Sem::LaneShift(LaneShift::Left)),
        ("PSRLWrr", &[16], Form::RR, Sem::LaneShift(LaneShift::Right)),
        ("PSRLDrr", S, Form::RR, Sem::LaneShift(LaneShift::Right)),
        ("PSRLQrr", D, Form::RR, Sem::LaneShift(LaneShift::Right)),
        ("PSRAWrr", &[16], Form::RR, Sem::LaneShift(LaneShift::Arith)),
        ("PSRADrr", S, Form::RR, Sem::LaneShift(LaneShift::Arith)),
        ("PSLLDQri", X, Form::RI, Sem::ByteShift(true)),
        ("PSRLDQri", X, Form::RI, Sem::ByteShift(false)),
        ("PSHUFDri", X, Form::RI, Sem::Arrange(Arrange::Each(Shuffle::Dwords))),
        ("PSHUFLWri", X, Form::RI, Sem::Arrange(Arrange::Each(Shuffle::LowWords))),
        ("PSHUFHWri", X, Form::RI, Sem::Arrange(Arrange::Each(Shuffle::HighWords))),
        ("PSHUFDmi", X, Form::RMI, Sem::Arrange(Arrange::Each(Shuffle::Dwords))),
        ("PSHUFLWmi", X, Form::RMI, Sem::Arrange(Arrange::Each(Shuffle::LowWords))),
        ("PSHUFHWmi", X, Form::RMI, Sem::Arrange(Arrange::Each(Shuffle::HighWords))),
        ("PMOVMSKBrr", &[8], Form::R, Sem::MoveMask),
        ("MOVMSKPSrr", S, Form::R, Sem::MoveMask),
        ("MOVMSKPDrr", D, Form::R, Sem::MoveMask),
    ],
    // SSE3 to SSE4.2.
    both!(B, Sem::Alone(Alone::Abs(8)), "PABSB"),
    both!(H, Sem::Alone(Alone::Abs(16)), "PABSW"),
    both!(S, Sem::Alone(Alone::Abs(32)), "PABSD"),
    both!(S, Sem::Alone(Alone::Even), "MOVSLDUP"),
    both!(S, Sem::Alone(Alone::Odd), "MOVSHDUP"),
    both!(&[16], Sem::Extend(8, !SIGNED), "PMOVZXBW"),
    both!(S, Sem::Extend(8, !SIGNED), "PMOVZXBD"),
    both!(D, Sem::Extend(8, !SIGNED), "PMOVZXBQ"),
    both!(S, Sem::Extend(16, !SIGNED), "PMOVZXWD"),
    both!(D, Sem::Extend(16, !SIGNED), "PMOVZXWQ"),
    both!(D, Sem::Extend(32, !SIGNED), "PMOVZXDQ"),
    both!(&[16], Sem::Extend(8, SIGNED), "PMOVSXBW"),
    both!(S, Sem::Extend(8, SIGNED), "PMOVSXBD"),
    both!(D, Sem::Extend(8, SIGNED), "PMOVSXBQ"),
    both!(S, Sem::Extend(16, SIGNED), "PMOVSXWD"),
    both!(D, Sem::Extend(16, SIGNED), "PMOVSXWQ"),
    both!(D, Sem::Extend(32, SIGNED), "PMOVSXDQ"),
    mixed!(H, Mix::Blend(16), "PBLENDW"),
    mixed!(S, Mix::Blend(32), "BLENDPS"),
    mixed!(D, Mix::Blend(64), "BLENDPD"),
    mixed!(B, Mix::Align, "PALIGNR"),
    mixed!(S, Mix::Both(32), "SHUFPS"),
    mixed!(D, Mix::Both(64), "SHUFPD"),
    &[
        ("MOVDDUPrr", D, Form::RR, Sem::Alone(Alone::LowQwords)),
        ("MOVDDUPrm", D, Form::RM, Sem::Broadcast),
        ("MOVLHPSrr", X, Form::RR, Sem::Packed(Packed::UnpackLow(64))),
        ("MOVHLPSrr", X, Form::RR, Sem::Packed(Packed::HighToLow)),
        ("MOVHPDrm", D, Form::RM, Sem::MovHalf(64)),
        ("MOVHPSrm", D, Form::RM, Sem::MovHalf(64)),
        ("MOVLPDrm", D, Form::RM, Sem::MovHalf(0)),
        ("MOVLPSrm", D, Form::RM, Sem::MovHalf(0)),
        ("MOVHPDmr", D, Form::MR, Sem::MovHalf(64)),
        ("MOVHPSmr", D, Form::MR, Sem::MovHalf(64)),
        ("INSERTPSrr", S, Form::RR, Sem::Mix(Mix::InsertFloat)),
        ("INSERTPSrri", S, Form::RR, Sem::Mix(Mix::InsertFloat)),
        ("INSERTPSrm", S, Form::RM, Sem::Mix(Mix::InsertFloat)),
        ("INSERTPSrmi", S, Form::RM, Sem::Mix(Mix::InsertFloat)),
        ("PINSRBrr", B, Form::RR, Sem::InsertLane),
        ("PINSRBrm", B, Form::RM, Sem::InsertLane),
        ("PINSRWrr", H, Form::RR, Sem::InsertLane),
        ("PINSRWrm", H, Form::RM, Sem::InsertLane),
        ("PINSRDrr", S, Form::RR, Sem::InsertLane),
        ("PINSRDrm", S, Form::RM, Sem::InsertLane),
        ("PINSRQrr", D, Form::RR, Sem::InsertLane),
        ("PINSRQrm", D, Form::RM, Sem::InsertLane),
        ("PEXTRBrr", B, Form::RI, Sem::ExtractLane),
        ("PEXTRBmr", B, Form::MR, Sem::ExtractLane),
        ("PEXTRWrr", H, Form::RI, Sem::ExtractLane),
        ("PEXTRWmr", H, Form::MR, Sem::ExtractLane),
        ("PEXTRDrr", S, Form::RI, Sem::ExtractLane),
        ("PEXTRDmr", S, Form::MR, Sem::ExtractLane),
        ("PEXTRQrr", D, Form::RI, Sem::ExtractLane),
        ("PEXTRQmr", D, Form::MR, Sem::ExtractLane),
        ("EXTRACTPSrr", S, Form::RI, Sem::ExtractLane),
        ("EXTRACTPSmr", S, Form::MR, Sem::ExtractLane),
        // Names of LLVM 20 and later.
        ("PINSRBrri", B, Form::RR, Sem::InsertLane),
        ("PINSRBrmi", B, Form::RM, Sem::InsertLane),
        ("PINSRWrri", H, Form::RR, Sem::InsertLane),
        ("PINSRWrmi", H, Form::RM, Sem::InsertLane),
        ("PINSRDrri", S, Form::RR, Sem::InsertLane),
        ("PINSRDrmi", S, Form::RM, Sem::InsertLane),
        ("PINSRQrri", D, Form::RR, Sem::InsertLane),
        ("PINSRQrmi", D, Form::RM, Sem::InsertLane),
        ("PEXTRBrri", B, Form::RI, Sem::ExtractLane),
        ("PEXTRBmri", B, Form::MR, Sem::ExtractLane),
        ("PEXTRWrri", H, Form::RI, Sem::ExtractLane),
        ("PEXTRWmri", H, Form::MR, Sem::ExtractLane),
        ("PEXTRDrri", S, Form::RI, Sem::ExtractLane),
        ("PEXTRDmri", S, Form::MR, Sem::ExtractLane),
        ("PEXTRQrri", D, Form::RI, Sem::ExtractLane),
        ("PEXTRQmri", D, Form::MR, Sem::ExtractLane),
        ("EXTRACTPSrri", S, Form::RI, Sem::ExtractLane),
        ("EXTRACTPSmri", S, Form::MR, Sem::ExtractLane),
        ("PBLENDVBrr0", B, Form::RR, Sem::BlendBy),
        ("PBLENDVBrm0", B, Form::RM, Sem::BlendBy),
        ("BLENDVPSrr0", S, Form::RR, Sem::BlendBy),
        ("BLENDVPSrm0", S, Form::RM, Sem::BlendBy),
        ("BLENDVPDrr0", D, Form::RR, Sem::BlendBy),
        ("BLENDVPDrm0", D, Form::RM, Sem::BlendBy),
        ("PTESTrr", X, Form::RR, Sem::TestVector),
        ("PTESTrm", X, Form::RM, Sem::TestVector),
        ("SQRTPSr", S, Form::RR, Sem::SqrtPacked),
        ("SQRTPSm", S, Form::RM, Sem::SqrtPacked),
        ("SQRTPDr", D, Form::RR, Sem::SqrtPacked),
        ("SQRTPDm", D, Form::RM, Sem::SqrtPacked),
        ("ROUNDSDr", D, Form::RR, Sem::Round),
        ("ROUNDSSr", S, Form::RR, Sem::Round),
        ("ROUNDSDri", D, Form::RR, Sem::Round),
        ("ROUNDSSri", S, Form::RR, Sem::Round),
        ("ROUNDSDmi", D, Form::RM, Sem::Round),
        ("ROUNDSSmi", S, Form::RM, Sem::Round),
    ],
];

/// What AVX, AVX2 and FMA have and SSE has not.
const AVX: &[&[Line]] = &[
    &[
        ("AVX_SET0", Y, Form::Own, Sem::Constant(0)),
        ("AVX1_SETALLONES", Y, Form::Own, Sem::Constant(-1)),
        ("AVX2_SETALLONES", Y, Form::Own, Sem::Constant(-1)),
        ("VTESTPSrr", S, Form::RR, Sem::TestVector),
        ("VTESTPSrm", S, Form::RM, Sem::TestVector),
        ("VTESTPDrr", D, Form::RR, Sem::TestVector),
        ("VTESTPDrm", D, Form::RM, Sem::TestVector),
        ("VBROADCASTSSrr", S, Form::RR, Sem::Broadcast),
        ("VBROADCASTSSrm", S, Form::RM, Sem::Broadcast),
        ("VPBROADCASTBrr", B, Form::RR, Sem::Broadcast),
        ("VPBROADCASTBrm", B, Form::RM, Sem::Broadcast),
        ("VPBROADCASTWrr", H, Form::RR, Sem::Broadcast),
        ("VPBROADCASTWrm", H, Form::RM, Sem::Broadcast),
        ("VPBROADCASTDrr", S, Form::RR, Sem::Broadcast),
        ("VPBROADCASTDrm", S, Form::RM, Sem::Broadcast),
        ("VPBROADCASTQrr", D, Form::RR, Sem::Broadcast),
        ("VPBROADCASTQrm", D, Form::RM, Sem::Broadcast),
        ("VPERMILPSri", S, Form::RI, Sem::Arrange(Arrange::Each(Shuffle::Dwords))),
        ("VPERMILPSmi", S, Form::RMI, Sem::Arrange(Arrange::Each(Shuffle::Dwords))),
        ("VPERMILPDri", D, Form::RI, Sem::Arrange(Arrange::Qwords)),
        ("VPERMILPDmi", D, Form::RMI, Sem::Arrange(Arrange::Qwords)),
        ("VPERMILPSrr", S, Form::RR, Sem::Permute(!ALL)),
        ("VPERMILPSrm", S, Form::RM, Sem::Permute(!ALL)),
        ("VPERMILPDrr", D, Form::RR, Sem::Permute(!ALL)),
        ("VPERMILPDrm", D, Form::RM, Sem::Permute(!ALL)),
        ("VPBLENDVBrrr", B, Form::RR, Sem::BlendBy),
        ("VPBLENDVBrmr", B, Form::RM, Sem::BlendBy),
        ("VBLENDVPSrrr", S, Form::RR, Sem::BlendBy),
        ("VBLENDVPSrmr", S, Form::RM, Sem::BlendBy),
        ("VBLENDVPDrrr", D, Form::RR, Sem::BlendBy),
        ("VBLENDVPDrmr", D, Form::RM, Sem::BlendBy),
        // Their names before LLVM 19.
        ("VPBLENDVBrr", B, Form::RR, Sem::BlendBy),
        ("VPBLENDVBrm", B, Form::RM, Sem::BlendBy),
        ("VBLENDVPSrr", S, Form::RR, Sem::BlendBy),
        ("VBLENDVPSrm", S, Form::RM, Sem::BlendBy),
        ("VBLENDVPDrr", D, Form::RR, Sem::BlendBy),
        ("VBLENDVPDrm", D, Form::RM, Sem::BlendBy),
    ],
    mixed!(S, Mix::Blend(32), "VPBLENDD"),
    both!(S, Sem::ShiftEach(LaneShift::Left), "VPSLLVD"),
    &[
        ("VMASKMOVPSrm", S, Form::RM, Sem::MaskedMove),
        ("VMASKMOVPSmr", S, Form::MR, Sem::MaskedMove),
        ("VMASKMOVPDrm", D, Form::RM, Sem::MaskedMove),
        ("VMASKMOVPDmr", D, Form::MR, Sem::MaskedMove),
        ("VPMASKMOVDrm", S, Form::RM, Sem::MaskedMove),
        ("VPMASKMOVDmr", S, Form::MR, Sem::MaskedMove),
        ("VPMASKMOVQrm", D, Form::RM, Sem::MaskedMove),
        ("VPMASKMOVQmr", D, Form::MR, Sem::MaskedMove),
    ],
    both!(D, Sem::ShiftEach(LaneShift::Left), "VPSLLVQ"),
    both!(S, Sem::ShiftEach(LaneShift::Right), "VPSRLVD"),
    both!(D, Sem::ShiftEach(LaneShift::Right), "VPSRLVQ"),
    both!(S, Sem::ShiftEach(LaneShift::Arith), "VPSRAVD"),
];

/// What there is on 256 bits alone.
const WIDE: &[&[Line]] = &[
    mixed!(X, Mix::Halves, "VPERM2F128", "VPERM2I128"),
    mixed!(X, Mix::Insert(128), "VINSERTF128", "VINSERTI128"),
    &[
        ("VBROADCASTSDYrr", D, Form::RR, Sem::Broadcast),
        ("VBROADCASTSDYrm", D, Form::RM, Sem::Broadcast),
        ("VBROADCASTF128rm", X, Form::RM, Sem::Broadcast),
        ("VBROADCASTI128rm", X, Form::RM, Sem::Broadcast),
        ("VBROADCASTF128", X, Form::RM, Sem::Broadcast),
        ("VBROADCASTI128", X, Form::RM, Sem::Broadcast),
        ("VPERMQYri", D, Form::RI, Sem::Arrange(Arrange::AllQwords)),
        ("VPERMQYmi", D, Form::RMI, Sem::Arrange(Arrange::AllQwords)),
        ("VPERMPDYri", D, Form::RI, Sem::Arrange(Arrange::AllQwords)),
        ("VPERMPDYmi", D, Form::RMI, Sem::Arrange(Arrange::AllQwords)),
        ("VPERMDYrr", S, Form::RR, Sem::Permute(ALL)),
        ("VPERMDYrm", S, Form::RM, Sem::Permute(ALL)),
        ("VPERMPSYrr", S, Form::RR, Sem::Permute(ALL)),
        ("VPERMPSYrm", S, Form::RM, Sem::Permute(ALL)),
        ("VEXTRACTF128rr", X, Form::RI, Sem::ExtractHalf),
        ("VEXTRACTF128mr", X, Form::MR, Sem::ExtractHalf),
        ("VEXTRACTI128rr", X, Form::RI, Sem::ExtractHalf),
        ("VEXTRACTI128mr", X, Form::MR, Sem::ExtractHalf),
        ("VEXTRACTF128rri", X, Form::RI, Sem::ExtractHalf),
        ("VEXTRACTF128mri", X, Form::MR, Sem::ExtractHalf),
        ("VEXTRACTI128rri", X, Form::RI, Sem::ExtractHalf),
        ("VEXTRACTI128mri", X, Form::MR, Sem::ExtractHalf),
    ],
];

/// Whether an operation that SSE has on 128 bits is there on 256, under its name with a `Y`.
fn has_wide_form(width: u32, sem: Sem) -> bool {
    match sem {
        Sem::Packed(_) | Sem::FloatPacked(_) | Sem::FloatMasks | Sem::ConvertPacked(_) => true,
        Sem::LaneShift(_) | Sem::ByteShift(_) | Sem::Arrange(_) | Sem::Alone(_) => true,
        Sem::Extend(..) | Sem::SqrtPacked | Sem::MoveMask | Sem::TestVector => true,
        Sem::Permute(_) | Sem::BlendBy | Sem::ShiftEach(_) | Sem::MaskedMove => true,
        Sem::Mix(mix) => mix != Mix::InsertFloat,
        Sem::Hardware(hardware) => hardware.has_wide_form(),
        Sem::Broadcast => width < 128,
        Sem::Mov => width == 128,
        _ => false,
    }
}

/// A name with a `Y` before its operand forms.
fn wide_name(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_lowercase());
    format!("{stem}Y{}", &name[stem.len()..])
}

/// An opcode's form on 256 bits.
fn wide(name: &str, op: Opcode) -> Option<(String, Opcode)> {
    let load_twice = op.sem == Sem::Broadcast && name.starts_with("VMOVDDUP");
    let width = if op.width == 128 && op.sem == Sem::Mov { 256 } else { op.width };
    let sem = if load_twice { Sem::Alone(Alone::LowQwords) } else { op.sem };
    let there = has_wide_form(op.width, op.sem);
    there.then(|| (wide_name(name), Opcode { width, sem, vector: 256, ..op }))
}

/// Every opcode of vectors and floating point.
pub(super) fn opcodes() -> Vec<(String, Opcode)> {
    let mut out = Vec::new();
    let narrow = |&(name, widths, form, sem): &Line| {
        (name.to_owned(), Opcode { width: widths[0], form, sem, vector: 128, vex: false, evex: None })
    };
    let packed = PACKED.iter().flat_map(|(mnemonic, packed)| {
        let forms = [(Form::RR, "rr"), (Form::RM, "rm")];
        forms.map(|(form, letters)| {
            let op =
                Opcode { width: 128, form, sem: Sem::Packed(*packed), vector: 128, vex: false, evex: None };
            (format!("{mnemonic}{letters}"), op)
        })
    });
    for (name, op) in packed.chain(SSE.iter().chain(hardware::LINES).copied().flatten().map(narrow)) {
        let (vex_name, vex) = (format!("V{name}"), Opcode { vex: true, ..op });
        out.extend(wide(&vex_name, vex));
        evex::derive(&vex_name, vex, &mut out);
        out.push((vex_name, vex));
        out.push((name, op));
    }
    for (name, op) in AVX.iter().copied().flatten().map(narrow) {
        let vex = Opcode { vex: true, ..op };
        out.extend(wide(&name, vex));
        evex::derive(&name, vex, &mut out);
        out.push((name, vex));
    }
    for (name, op) in WIDE.iter().copied().flatten().map(narrow) {
        out.push((name, Opcode { vex: true, vector: 256, ..op }));
    }
    for fused in Fused::all() {
        for (letters, width, packed) in
            [("SS", 32, false), ("SD", 64, false), ("PS", 32, true), ("PD", 64, true)]
        {
            for (form, operand) in [(Form::RR, "r"), (Form::RM, "m")] {
                let op = Opcode {
                    width,
                    form,
                    sem: Sem::Fused(fused, packed),
                    vector: 128,
                    vex: true,
                    evex: None,
                };
                let name = format!("V{}{letters}{operand}", fused.mnemonic());
                evex::derive(&name, op, &mut out);
                out.push((name, op));
                if packed {
                    let op = Opcode { vector: 256, ..op };
                    out.push((format!("V{}{letters}Y{operand}", fused.mnemonic()), op));
                }
            }
        }
    }
    evex::own(&mut out);
    out
}
