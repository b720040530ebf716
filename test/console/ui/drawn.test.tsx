import {stripVTControlCharacters} from 'node:util';
import {cleanup, render} from 'ink-testing-library';
import type {ReactElement} from 'react';
import {afterEach, expect, test} from 'vitest';
import {Facts} from '../../../source/console/screens/offers/facts.tsx';
import {Notice, TooSmall} from '../../../source/console/ui/notice.tsx';
import {Painted, PainterProvider} from '../../../source/console/ui/painted.tsx';
import {createStore, derived} from '../../../source/renter/state/store.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';

// What stays drawn asks for the terminal's size once more when its process ends.
afterEach(cleanup);

/** What a component draws, without its looks. */
function drawn(node: ReactElement): string {
	return stripVTControlCharacters(render(node).lastFrame() ?? '');
}

const theme = createTheme({NO_COLOR: '1'});

test('without a painter, painted lines are drawn like any other text, and follow their source', async () => {
	const price = createStore('0.30');
	const source = derived([price], () => ['RTX 4090', price.get()]);
	const {lastFrame, unmount} = render(<Painted source={source} width={20} height={2} />);
	expect(lastFrame()).toBe('RTX 4090\n0.30');
	price.set('0.29');
	await expect.poll(lastFrame).toBe('RTX 4090\n0.29');
	unmount();
});

test('lines that get no region of the frame are drawn like any other text', () => {
	const source = derived([], () => ['RTX 4090']);
	const {lastFrame} = render(
		<PainterProvider value={{openRegion: () => undefined}}>
			<Painted source={source} width={20} height={2} />
		</PainterProvider>,
	);
	expect(lastFrame()?.trimEnd()).toBe('RTX 4090');
});

test('lines are written again only when a store they come from has changed', () => {
	const [price, other] = [createStore(1), createStore(1)];
	const source = derived([price], () => [String(price.get())]);
	const before = source.get();
	other.set(2);
	expect(source.get()).toBe(before);
	price.set(2);
	expect(source.get()).toEqual(['2']);
});

test('facts stand in two columns where there is room, and under each other where not', () => {
	const sections = [
		{title: 'PAY', facts: [['GPU', '$0.30 /h']] as const},
		{title: 'GET', facts: [['VRAM', '24 GB']] as const},
	];
	const frame = (width: number) =>
		drawn(<Facts sections={sections} theme={theme} width={width} height={6} />);
	expect(frame(80).split('\n')[0]).toMatch(/^PAY +GET/);
	expect(frame(48).split('\n')[0]).toMatch(/^PAY *$/);
});

test('a notice says what is so and what to do', () => {
	const notice = <Notice title="No offer." lines={['R searches again.']} width={40} height={5} />;
	expect(drawn(notice)).toContain(' No offer.\n\n R searches again.');
});

test('a terminal too small is told what is needed, in lines that fit it', () => {
	const size = {columns: 20, rows: 5};
	const lines = render(<TooSmall size={size} least={{columns: 48, rows: 14}} />)
		.lastFrame()
		?.split('\n');
	expect(lines?.join(' ')).toContain('48x14');
	expect(lines?.every(line => line.length <= 20)).toBe(true);
});
