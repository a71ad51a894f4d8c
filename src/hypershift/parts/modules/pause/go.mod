module hypershift/parts/pause

go 1.24.0
