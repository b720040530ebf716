import {Box, Text} from 'ink';
import {
	createContext,
	memo,
	useContext,
	useLayoutEffect,
	useMemo,
	useRef,
	useState,
	useSyncExternalStore,
} from 'react';
import type {Band, Block, OnMouse} from './panes.ts';
import {once, type Readable} from '../../renter/state/store.ts';

/** The state of a store, or a part: the component renders again when it changes. */
export function useStore<State>(store: Readable<State>): State;
export function useStore<State, Part>(store: Readable<State>, select: (state: State) => Part): Part;
export function useStore(
	{get, subscribe}: Readable<unknown>,
	select?: (state: unknown) => unknown,
): unknown {
	return useSyncExternalStore(subscribe, () => (select === undefined ? get() : select(get())));
}

/** A region of Ink's frame whose lines are painted beside Ink. */
export type Region = {
	/** The text with which one of its rows begins. */
	readonly start: (row: number) => string;
	/** Sets the lines that it shows. */
	readonly paint: (lines: readonly string[]) => void;
	readonly onMouse: (mouse: OnMouse) => void;
	/** Releases it: the next region may get it. */
	readonly close: () => void;
};

export type Painter = {
	/** Opens a region of the frame; undefined if all are taken. */
	readonly openRegion: () => Region | undefined;
};

const PainterContext = createContext<Painter | undefined>(undefined);

/** Painter of regions; without one, Ink draws the lines. */
export const PainterProvider = PainterContext.Provider;

/**
 * Lines that change often. In a region of their own they go straight to the terminal: React and Ink
 * see a text that stays the same. Without one they are drawn like any other text.
 */
export function Painted(props: Block) {
	const painter = useContext(PainterContext);
	const [region] = useState(() => painter?.openRegion());
	return region === undefined ? <Drawn {...props} /> : <InRegion {...props} region={region} />;
}

type ClickedProps = {
	readonly lines: readonly string[];
	readonly width: number;
	readonly onClick: NonNullable<OnMouse['click']>;
};

/** Lines that React draws, on which the mouse clicks. */
export function Clicked({lines, width, onClick}: ClickedProps) {
	const latest = useRef(onClick);
	useLayoutEffect(() => {
		latest.current = onClick;
	});
	const text = lines.join('\n');
	const source = useMemo(
		() => ({
			get: once(() => text.split('\n')),
			subscribe: () => () => {},
			click: (line: number, column: number) => latest.current(line, column),
		}),
		[text],
	);
	return <Painted source={source} width={width} height={lines.length} />;
}

export function Bands({bands}: {readonly bands: readonly Band[]}) {
	return bands.map((blocks, at) => (
		// oxlint-disable-next-line react/no-array-index-key -- a band is its place on the screen
		<Box key={at} flexShrink={0}>
			{blocks.map((block, side) => (
				// oxlint-disable-next-line react/no-array-index-key -- so is a block
				<Painted key={side} {...block} />
			))}
		</Box>
	));
}

function InRegion({source, region, width, height}: Block & {readonly region: Region}) {
	useLayoutEffect(() => {
		const paint = () => region.paint(source.get());
		paint();
		region.onMouse(source);
		return source.subscribe(paint);
	}, [source, region]);
	useLayoutEffect(() => region.close, [region]);
	return <Starts region={region} width={width} height={height} />;
}

type StartsProps = Pick<Block, 'width' | 'height'> & {readonly region: Region};

const Starts = memo(function Starts({region, width, height}: StartsProps) {
	const rows = Array.from({length: height}, (_, row) => region.start(row));
	return (
		<Box width={width} height={height} flexShrink={0}>
			<Text wrap="truncate">{rows.join('\n')}</Text>
		</Box>
	);
});

function Drawn({source, width, height}: Block) {
	const lines = useStore(source);
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			{lines.slice(0, height).map((line, row) => (
				// oxlint-disable-next-line react/no-array-index-key -- a line is its place on the screen
				<Text key={row} wrap="truncate">
					{line}
				</Text>
			))}
		</Box>
	);
}
