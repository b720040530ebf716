// What terminals send, to try on whatever reads it: ESC is written ^[, the other controls alike, a space ␣.
const written = [
	['^[', '\u001B'],
	['^G', '\u0007'],
	['^I', '\t'],
	['^M', '\r'],
	['^?', '\u007F'],
	['␣', ' '],
] as const;

const words = (text: string) =>
	text
		.trim()
		.split(/\s+/)
		.map(word => written.reduce((bytes, [name, byte]) => bytes.replaceAll(name, byte), word));

const keyWords = [
	// xterm and all that follow it
	words('^[[A Up ^[[B Down ^[[C Right ^[[D Left ^[[H Home ^[[F End'),
	words('^[OA Up ^[OB Down ^[OC Right ^[OD Left ^[OH Home ^[OF End'),
	words('^[OP F1 ^[OQ F2 ^[OR F3 ^[OS F4 ^[[P F1 ^[[Q F2 ^[[R F3 ^[[S F4'),
	words('^[[15~ F5 ^[[17~ F6 ^[[18~ F7 ^[[19~ F8 ^[[20~ F9 ^[[21~ F10 ^[[23~ F11 ^[[24~ F12'),
	words('^[[1~ Home ^[[2~ Insert ^[[3~ Delete ^[[4~ End ^[[5~ PgUp ^[[6~ PgDn'),
	words('^[[Z Shift-Tab ^[[1;2Z Shift-Tab ^[[1;6Z Ctrl-Shift-Tab'),
	// with modifiers
	words('^[[1;2A Shift-Up ^[[1;3B Alt-Down ^[[1;4A Alt-Shift-Up ^[[1;5C Ctrl-Right'),
	words('^[[1;6D Ctrl-Shift-Left ^[[1;7H Ctrl-Alt-Home ^[[1;8F Ctrl-Alt-Shift-End'),
	words('^[[1;5P Ctrl-F1 ^[O1;5Q Ctrl-F2 ^[[15;2~ Shift-F5 ^[[3;5~ Ctrl-Delete'),
	words('^[[1;1A Up ^[[1;65A Up ^[[1;129A Up ^[[1;5:2A Ctrl-Up'),
	// rxvt and PuTTY
	words('^[[7~ Home ^[[8~ End ^[[11~ F1 ^[[12~ F2 ^[[13~ F3 ^[[14~ F4 ^[[25~ F13 ^[[26~ F14'),
	words('^[[28~ F15 ^[[29~ F16 ^[[31~ F17 ^[[32~ F18 ^[[33~ F19 ^[[34~ F20'),
	words('^[[a Shift-Up ^[[b Shift-Down ^[[c Shift-Right ^[[d Shift-Left'),
	words('^[Oa Ctrl-Up ^[Ob Ctrl-Down ^[Oc Ctrl-Right ^[Od Ctrl-Left'),
	words('^[[2$ Shift-Insert ^[[23$ Shift-F11 ^[[5^ Ctrl-PgUp ^[[6@ Ctrl-Shift-PgDn'),
	words('^[^[[A Alt-Up ^[^[OB Alt-Down ^[^[[3~ Alt-Delete ^[^[Oc Ctrl-Alt-Right'),
	// Linux without a window system
	words('^[[[A F1 ^[[[B F2 ^[[[C F3 ^[[[D F4 ^[[[E F5'),
	// the keypad in application mode
	words('^[OM Enter ^[OI Tab ^[OX = ^[Oj * ^[Ok + ^[Ol , ^[Om - ^[On . ^[Oo / ^[Op 0 ^[Oq 1'),
	words('^[Or 2 ^[Os 3 ^[Ot 4 ^[Ou 5 ^[Ov 6 ^[Ow 7 ^[Ox 8 ^[Oy 9'),
	// kitty
	words('^[[97u a ^[[97;1u a ^[[99;5u Ctrl-C ^[[120;3u Alt-x ^[[97;2u A ^[[97:65;2u A'),
	words('^[[233;1u é ^[[128169u 💩 ^[[32u Space ^[[32;5u Ctrl-Space ^[[32;3u Alt-Space'),
	words('^[[13u Enter ^[[13;2u Shift-Enter ^[[27u Esc ^[[9;2u Shift-Tab ^[[127;5u Ctrl-Backspace'),
	words('^[[105;5u Tab ^[[109;5u Enter ^[[104;5u Backspace ^[[91;5u Esc ^[[92;5u Ctrl-\\'),
	words('^[[99;5:1u Ctrl-C ^[[100;6u Ctrl-D'),
	// xterm with modifyOtherKeys
	words('^[[27;5;99~ Ctrl-C ^[[27;2;13~ Shift-Enter ^[[27;3;120~ Alt-x ^[[27;2;33~ !'),
	// Alt
	words('^[x Alt-x ^[X Alt-X ^[1 Alt-1 ^[- Alt-- ^[␣ Alt-Space ^[é Alt-é ^[日 Alt-日 ^[💩 Alt-💩'),
	words('^[^? Alt-Backspace ^[^M Alt-Enter ^[^I Alt-Tab'),
].flat();

export const keySequences = keyWords.flatMap((sequence, index) =>
	index % 2 === 0 ? [[sequence, keyWords[index + 1] ?? ''] as const] : [],
);

export const reports: readonly string[] = [
	// focus, cursor, device attributes, status, modes, size
	words('^[[I ^[[O ^[[12;40R ^[[1;5R ^[[?12;40R ^[[?62;1;6c ^[[>0;276;0c ^[[=1c ^[[0n ^[[?0n'),
	words('^[[?997;1n ^[[?2026;2$y ^[[4;2$y ^[[8;24;80t ^[[?1u ^[[?31u'),
	// the mouse: SGR, urxvt, X10
	words('^[[<0;10;20M ^[[<0;10;20m ^[[<65;1;1M ^[[32;10;20M ^[[M␣!! ^[[M#jA ^[[M␣ð~'),
	// colours, clipboard, title
	words('^[]11;rgb:0000/2b2b/3636^G ^[]10;rgb:ff/ff/ff^[\\ ^[]4;1;rgb:cd/00/00^G'),
	words('^[]52;c;aGkK^[\\ ^[]lmy␣title^[\\ ^[]Licon^[\\'),
	// name of the terminal, settings, capabilities, number, graphics
	words('^[P>|XTerm(388)^[\\ ^[P1$r0m^[\\ ^[P1+r544e=78^[\\ ^[P!|00000000^[\\ ^[_Gi=31;OK^[\\'),
	// keys let go, held with Super, or known to nobody
	words(
		'^[[97;1:3u ^[[1;1:3A ^[[99;9u ^[[1;9A ^[[57441;2u ^[[49;5u ^[[91;3u ^[[1114112u ^[[55296u',
	),
	words('^[[99~ ^[[201~ ^[[E ^[OE ^[[1;2y ^[[u ^[[;u ^[[~ ^[[1;5z ^[[!p ^[[5A ^[[[Z ^[[104;7z'),
].flat();
