/** What the user can set; `settings.ts` reads it from a file. */
export type Settings = {
	/** The disk that every price includes, in GB. */
	readonly diskGb: number;
	/** How long the usual job takes. */
	readonly hours: number;
	/** The traffic that the usual job expects. */
	readonly inGbPerHour: number;
	readonly outGbPerHour: number;
	/** The columns of each list, by the list's name. A list that is not here has its usual ones. */
	readonly columns: Readonly<Record<string, ColumnChoice>>;
	readonly searches: readonly SavedSearch[];
	readonly watches: readonly PriceWatch[];
	/** What connecting by SSH does: in this terminal, in a window of tmux, or only say the command. */
	readonly ssh: 'stepAside' | 'tmuxWindow' | 'print';
	readonly limits: Limits;
	readonly notify: NotifyChoice;
	readonly spend: SpendBudget;
	/** What happens when an offer is gone before it could be rented. */
	readonly fallback: {
		/** How many others are tried. */
		readonly tries: number;
		/** How much dearer than the first they may be. */
		readonly ceilingPercent: number;
	};
	/** The template that is rented with unless another one is chosen; null for none. */
	readonly templateHash: string | null;
	/** Whether the key that an instance has of itself is kept in a file, and not only shown once. */
	readonly keepInstanceKeys: boolean;
	/** When what is rented ends, such as `for 6h idle 30m then stop`; empty for no end. */
	readonly lease: string;
	/** Whether rules and bars are drawn with line characters. */
	readonly glyphs: 'auto' | 'ascii' | 'unicode';
	/** Whether colours are used. */
	readonly colour: 'auto' | 'never';
	/** Which looks text has. */
	readonly theme: ThemeName;
	/** Keys of the user's own, by the names of bindings: a key, several, or none. */
	readonly keys: Readonly<Record<string, string | readonly string[]>>;
	/** Commands of the user's own for what the cursor is on. */
	readonly commands: readonly CustomCommand[];
	/** Whether the mouse moves the cursor. Then the terminal selects text only with Shift. */
	readonly mouse: boolean;
};

export const themeNames = ['default', 'light', 'high-contrast', 'colour-blind', 'mono'] as const;
export type ThemeName = (typeof themeNames)[number];

/** A program that is run for an offer, an instance or a template. */
export type CustomCommand = {
	readonly name: string;
	/** The key that runs it; without one it is in the list of actions and in the palette. */
	readonly key?: string | undefined;
	readonly screen: 'offers' | 'instances' | 'templates';
	/** The program and its arguments; `{id}` and the like become what the row says. No shell reads them. */
	readonly command: readonly string[];
	/** In this terminal, or behind it. */
	readonly runs: 'aside' | 'background';
	/** Whether it asks before it runs. */
	readonly asks: boolean;
};

export type ColumnSet = 'compact' | 'normal' | 'wide';

/** How a list's columns differ from those of its set. */
export type ColumnChoice = {
	readonly set: ColumnSet;
	/** Columns that are shown although the set has them not, or hidden although it has them. */
	readonly visible: Readonly<Record<string, boolean>>;
	/** Columns from left to right; those not named follow in their usual order. */
	readonly order: readonly string[];
	readonly widths: Readonly<Record<string, number>>;
};

/** Words of the query line under a name. */
export type SavedSearch = {readonly name: string; readonly words: string};

/** Tells when an offer is to be had for less than a price. */
export type PriceWatch = {
	/** Which offers, as words of the query line; `id=7` for one. */
	readonly words: string;
	/** Dollars per hour, all in. */
	readonly below: number;
};

/** When an instance counts as slow, stuck or idle. */
export type Limits = {
	readonly nullSlowMinutes: number;
	readonly nullStuckMinutes: number;
	readonly loadingSlowMinutes: number;
	/** How long a boot may take at most. */
	readonly bootMinutes: number;
	readonly noSshMinutes: number;
	readonly idleMinutes: number;
	/** Below which use of its GPU an instance idles. */
	readonly idleBelowPercent: number;
};

/** How rentty calls for attention, beside the title of the terminal. */
export type NotifyChoice = {
	readonly bell: boolean;
	/** Notifications of the desktop, which some terminals show on OSC 9. */
	readonly osc9: boolean;
};

/** From where on renting asks harder, in dollars per hour; null for nowhere. */
export type SpendBudget = {
	readonly askOverPerHour: number | null;
	readonly fleetMaxPerHour: number | null;
};

/** The settings as they are at present, and a way to change them for good. */
export type SettingsStore = {
	readonly get: () => Settings;
	readonly subscribe: (listener: () => void) => () => void;
	/** Changes some of them, at once and in the user's file. */
	readonly change: (patch: Partial<Settings>) => void;
};

/** What holds where the user's file says nothing. Apart from the file's schema, which takes time to load. */
export const defaultSettings: Settings = {
	diskGb: 40,
	hours: 24,
	inGbPerHour: 0,
	outGbPerHour: 0,
	columns: {},
	searches: [],
	watches: [],
	ssh: 'stepAside',
	limits: {
		nullSlowMinutes: 3,
		nullStuckMinutes: 5,
		loadingSlowMinutes: 5,
		bootMinutes: 10,
		noSshMinutes: 2,
		idleMinutes: 30,
		idleBelowPercent: 3,
	},
	notify: {bell: true, osc9: false},
	spend: {askOverPerHour: 3, fleetMaxPerHour: null},
	fallback: {tries: 3, ceilingPercent: 5},
	templateHash: null,
	keepInstanceKeys: false,
	lease: '',
	glyphs: 'auto',
	colour: 'auto',
	theme: 'default',
	keys: {},
	commands: [],
	mouse: false,
};
