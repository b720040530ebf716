import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {isSameImage} from '../../../source/renter/orders/differences.ts';

const HEX = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);

test.each([
	['pytorch/pytorch', 'pytorch/pytorch:latest'],
	['ubuntu:22.04', 'docker.io/library/ubuntu:22.04'],
	['ubuntu', 'index.docker.io/library/ubuntu:latest'],
	['library/ubuntu', 'ubuntu'],
	['docker.io/a/b:1', 'a/b:1'],
	['registry.example.org:5000/a/b', 'Registry.Example.org:5000/a/b:latest'],
	['localhost:5000/a', 'localhost:5000/a:latest'],
	['ubuntu:22.04', ` ubuntu:22.04@sha256:${HEX}\n`],
	[`ubuntu:22.04@sha256:${HEX}`, 'ubuntu:22.04'],
	[`ubuntu@sha256:${HEX}`, 'ubuntu:22.04'],
	['ubuntu:22.04', `ubuntu@sha256:${HEX}`],
	[`ubuntu:1@sha256:${HEX}`, `ubuntu:2@sha256:${HEX.toUpperCase()}`],
	['ubuntu:22.04', `sha256:${HEX}`],
	['ubuntu:22.04', HEX],
	['ubuntu:22.04', ''],
])('%s and %s can be one image', (one, other) => {
	expect(isSameImage(one, other)).toBe(true);
	expect(isSameImage(other, one)).toBe(true);
});

test.each([
	['pytorch/pytorch', 'pytorch/pytorch:2.6'],
	['pytorch/pytorch:2.6', 'pytorch/pytorch:2.6-devel'],
	['a/b:Tag', 'a/b:tag'],
	['a/b', 'b'],
	['a/b', 'ghcr.io/a/b'],
	['localhost:5000/a', 'localhost:5001/a'],
	['library/a/b', 'a/b'],
	[`ubuntu@sha256:${HEX}`, `ubuntu@sha256:${OTHER}`],
	[`ubuntu:22.04@sha256:${HEX}`, `ubuntu:22.04@sha256:${OTHER}`],
])('%s and %s are two images', (one, other) => {
	expect(isSameImage(one, other)).toBe(false);
	expect(isSameImage(other, one)).toBe(false);
});

test('every text can be compared, and is the same image as itself', () => {
	const parts = fc.constantFrom('docker.io', 'library', 'a', ':', '/', '@', 'latest', 'A.b:1', ' ');
	const text = fc.oneof(
		fc.string(),
		fc.array(parts, {maxLength: 8}).map(said => said.join('')),
	);
	fc.assert(
		fc.property(text, text, (one, other) => {
			expect(isSameImage(one, one)).toBe(true);
			expect(isSameImage(one, other)).toBe(isSameImage(other, one));
		}),
	);
});
