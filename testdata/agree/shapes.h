// Virtual bases, so that there are thunks and vtables.
#pragma once

#include <string>

struct Named {
	virtual ~Named();
	virtual std::string name() const = 0;
	long tag = 1;
};

struct Measured {
	virtual ~Measured();
	virtual long measure(long scale) = 0;
	long unit = 2;
};

struct Circle : virtual Named, virtual Measured {
	explicit Circle(long radius);
	~Circle() override;
	std::string name() const override;
	long measure(long scale) override;
	long radius;
};

struct Ring final : Circle {
	Ring(long radius, long hole);
	std::string name() const override;
	long measure(long scale) override;
	long hole;
};

extern "C" long in_assembly(long value);
extern "C" long plain_c(const char *text, long n);
long counted(const std::string &text);
